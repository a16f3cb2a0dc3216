/* The empty name, in every format that keeps names. */
#include "files_support.h"

#include "changing_support.h"

#if TSR_HAVE_STDIO

static uint8_t room[1 << 14];

static tsr_status read_bytes(changing_format format, const changing_file *f, tsr_bundle *b) {
  if (format == IN_SAFETENSORS) return tsr_safetensors_decode(NULL, f->at, f->n, NULL, b, NULL);
  if (format == IN_GGUF) return tsr_gguf_decode(NULL, f->at, f->n, NULL, b, NULL);
  return tsr_npz_decode(NULL, f->at, f->n, NULL, b);
}

TEST(the_empty_name) {
  static const struct version unnamed = {1, 0, 2, 0, 0};
  static const changing_format formats[] = {IN_NPZ, IN_SAFETENSORS, IN_GGUF};
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
    changing_file f = {.at = room, .capacity = sizeof room};
    tsr_bundle b = {0};
    changing_make(formats[i], &unnamed, &f);
    OK(NULL, read_bytes(formats[i], &f, &b));
    const tsr_tensor *t = tsr_bundle_find(&b, "");
    CHECK(t != NULL && b.count == 1 && tsr_size(t) == 2);
    tsr_bundle_release(&b);
  }
}

TEST(the_empty_name_twice) {
  static const char header[] =
      "{\"\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]},\"\":{\"dtype\":\"U8\",\"shape\":[1],\"data_"
      "offsets\":[1,2]}}";
  static st_bytes file;
  tsr_bundle b = {0};
  st_make(header, "ab", 2, &file);
  FAILS(NULL, TSR_EFORMAT, tsr_safetensors_decode(NULL, file.at, file.n, NULL, &b, NULL));
  MESSAGE_HAS(NULL, "tensor '' appears twice");
  CHECK(b.count == 0);
}

/* What order or layout the metadata gives it comes back too. */
TEST(the_empty_name_keeps_its_order) {
  tsr_bundle b = {0}, back = {0};
  tsr_tensor t = {0};
  changing_file f = {.at = room, .capacity = sizeof room};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = changing_add, .self = &f};
  OK(NULL, tsr_desc_init_ordered(NULL, TSR_F32, TSR_SHAPE(2, 3), TSR_FORTRAN, &t));
  OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &t));
  memset(t.data, 0, tsr_nbytes(&t));
  OK(NULL, tsr_bundle_add(NULL, &b, "", &t));
  OK(NULL, tsr_safetensors_write(NULL, &b, NULL, NULL, &sink));
  OK(NULL, tsr_safetensors_decode(NULL, f.at, f.n, NULL, &back, NULL));
  CHECK(back.count == 1 && tsr_is_contiguous(&back.tensors[0], TSR_FORTRAN));
  tsr_bundle_release(&back);
  tsr_bundle_release(&b);
}

TEST_MAIN(RUN(the_empty_name), RUN(the_empty_name_twice), RUN(the_empty_name_keeps_its_order))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
