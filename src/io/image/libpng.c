/* All that is said to libpng, and the only place that longjmp leaves from: no frame of ours with something to give back
 * lies between a guarded step and the library. */
#include "io/image/png.h"

#if TSR_HAVE_STDIO && TSR_HAVE_PNG

#include "core/text.h"
#include "memory/foreign.h"

#include <png.h>
#include <setjmp.h>
#include <string.h>

/* The largest that deflate makes of a byte: 258 of 2 bits. */
enum { MOST_INFLATED = 1032, CHUNK_BYTES = 8 << 20, CHUNKS = 128 };

typedef struct job {
  const tsr__image_call *call;
  const tsr_allocator *allocator;
  png_structp png;
  png_infop info;
  tsr__pixels image;
  /* reading */
  const tsr__image_file *file;
  size_t at;
  uint8_t *pixels;
  /* writing */
  const tsr_sink *sink;
  size_t written;
  int level;
  void *row;
  tsr__png_row *fill;
  void *user;

  tsr_status status; /* of what ended the step: TSR_EFORMAT unless someone knows better */
  char text[64];
  jmp_buf jump;
} job;

#define REFUSE(j, code, ...) TSR__FAIL((j)->call->ctx, code, (j)->call->op, NULL, __VA_ARGS__)

/* ---- what libpng calls ---- */

static void on_error(png_structp png, png_const_charp message) {
  job *j = png_get_error_ptr(png);
  tsr__text text;
  tsr__text_init(&text, j->text, sizeof j->text);
  tsr__text_string(&text, message);
  longjmp(j->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message) { (void)png, (void)message; }

static png_voidp on_alloc(png_structp png, png_alloc_size_t bytes) {
  job *j = png_get_mem_ptr(png);
  void *block = tsr__foreign_alloc(j->allocator, bytes);
  if (block == NULL) j->status = TSR_ENOMEM;
  return block;
}

static void on_free(png_structp png, png_voidp block) {
  const job *j = png_get_mem_ptr(png);
  tsr__foreign_free(j->allocator, block);
}

static void on_read(png_structp png, png_bytep to, size_t n) {
  job *j = png_get_io_ptr(png);
  if (n > j->file->n - j->at) png_error(png, "the file ends too early");
  memcpy(to, j->file->bytes + j->at, n);
  j->at += n;
}

static void on_write(png_structp png, png_bytep from, size_t n) {
  job *j = png_get_io_ptr(png);
  j->status = j->sink->write(j->sink->self, from, n);
  if (j->status != TSR_OK) png_error(png, "the sink failed");
  j->written += n;
}

static void on_flush(png_structp png) { (void)png; }

/* Runs a step; false when libpng gave up in it. All that a step changes lies in the job. */
static bool guarded(job *j, void (*step)(job *j)) {
  if (setjmp(j->jump) != 0) return false;
  step(j);
  return true;
}

/* ---- reading ---- */

/* What is only about how an image looks is passed over, unread. */
static void ignore_ancillary(png_structp png) {
  static const png_byte names[] =
      "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, names, (int)(sizeof names / 5));
}

static void set_up_reading(job *j) {
  j->png = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, j, on_error, on_warning, j, on_alloc, on_free);
  if (j->png == NULL) return;
  j->info = png_create_info_struct(j->png);
  if (j->info == NULL) return;
  png_set_read_fn(j->png, j, on_read);
  png_set_user_limits(j->png, 0x7fffffff, 0x7fffffff); /* pixels are what is limited */
  png_set_chunk_cache_max(j->png, CHUNKS);
  png_set_chunk_malloc_max(j->png, CHUNK_BYTES);
  ignore_ancillary(j->png);
}

static void read_header(job *j) {
  png_read_info(j->png, j->info);
  j->image.width = png_get_image_width(j->png, j->info);
  j->image.height = png_get_image_height(j->png, j->info);
  const int color = png_get_color_type(j->png, j->info);
  const bool transparent = png_get_valid(j->png, j->info, PNG_INFO_tRNS) != 0;
  if (color == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(j->png);
  if (color == PNG_COLOR_TYPE_GRAY) png_set_expand_gray_1_2_4_to_8(j->png);
  if (transparent) png_set_tRNS_to_alpha(j->png);
  /* What these make of it, as start_rows will say again: libpng takes memory for rows there. */
  j->image.channels =
      ((color & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) + ((color & PNG_COLOR_MASK_ALPHA) != 0 || transparent);
  j->image.bits = png_get_bit_depth(j->png, j->info) == 16 ? 16 : 8;
}

/* Whether the file says no more than its bytes can hold. */
static tsr_status check_header(job *j) {
  const uint64_t pixels = (uint64_t)j->image.width * j->image.height;
  const uint64_t depth = (uint64_t)png_get_bit_depth(j->png, j->info) * png_get_channels(j->png, j->info);
  if (pixels / (8 * MOST_INFLATED) * depth > j->file->size) /* this way round it cannot wrap */
    return REFUSE(j, TSR_EFORMAT, "%sbyte 16: %l x %l pixels cannot be in %l bytes", j->call->where,
                  (int64_t)j->image.width, (int64_t)j->image.height, (int64_t)j->file->size);
  return j->file->allow(j->file->user, &j->image);
}

static void start_rows(job *j) {
  if (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) png_set_swap(j->png);
  (void)png_set_interlace_handling(j->png);
  png_read_update_info(j->png, j->info);
  j->image.channels = png_get_channels(j->png, j->info);
  j->image.bits = png_get_bit_depth(j->png, j->info);
}

static void read_rows(job *j) {
  const size_t bytes = png_get_rowbytes(j->png, j->info);
  const int passes = png_get_interlace_type(j->png, j->info) == PNG_INTERLACE_ADAM7 ? 7 : 1;
  for (int pass = 0; pass < passes; pass++)
    for (uint32_t y = 0; y < j->image.height; y++) png_read_row(j->png, j->pixels + y * bytes, NULL);
  png_read_end(j->png, NULL);
}

static tsr_status reading_failed(const job *j) {
  if (j->status == TSR_ENOMEM) return REFUSE(j, TSR_ENOMEM, "%sno memory for the decoder", j->call->where);
  return REFUSE(j, TSR_EFORMAT, "%sbyte %z: %s", j->call->where, j->at, j->text);
}

static tsr_status decode(job *j) {
  const tsr__image_file *file = j->file;
  void *pixels = NULL;
  if (!guarded(j, set_up_reading)) return reading_failed(j);
  if (j->info == NULL) return REFUSE(j, TSR_ENOMEM, "%sno memory for the decoder", j->call->where);
  if (!guarded(j, read_header)) return reading_failed(j);
  tsr_status st = check_header(j);
  if (st == TSR_OK) st = file->place(file->user, &j->image, &pixels);
  if (st != TSR_OK || pixels == NULL) return st;
  const tsr__pixels told = j->image;
  if (!guarded(j, start_rows)) return reading_failed(j);
  if (told.channels != j->image.channels || told.bits != j->image.bits)
    return REFUSE(j, TSR_EUNSUPPORTED, "%sbyte 16: a kind of image that is not known", j->call->where);
  j->pixels = pixels;
  return guarded(j, read_rows) ? TSR_OK : reading_failed(j);
}

tsr_status tsr__png_decode(const tsr__image_call *call, const tsr__image_file *file) {
  job j = {.call = call, .allocator = tsr__allocator(call->ctx), .file = file, .status = TSR_EFORMAT};
  const tsr_status st = decode(&j);
  png_destroy_read_struct(&j.png, &j.info, NULL);
  return st;
}

/* ---- writing ---- */

static void set_up_writing(job *j) {
  j->png = png_create_write_struct_2(PNG_LIBPNG_VER_STRING, j, on_error, on_warning, j, on_alloc, on_free);
  if (j->png == NULL) return;
  j->info = png_create_info_struct(j->png);
  if (j->info != NULL) png_set_write_fn(j->png, j, on_write, on_flush);
}

static void write_image(job *j) {
  static const int colors[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                PNG_COLOR_TYPE_RGB_ALPHA};
  png_set_user_limits(j->png, 0x7fffffff, 0x7fffffff);
  png_set_IHDR(j->png, j->info, j->image.width, j->image.height, j->image.bits, colors[j->image.channels],
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(j->png, j->level < 0 ? 0 : j->level);
  png_write_info(j->png, j->info);
  if (j->image.bits == 16 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) png_set_swap(j->png);
  for (uint32_t y = 0; y < j->image.height; y++) {
    j->fill(j->user, j->row);
    png_write_row(j->png, j->row);
  }
  png_write_end(j->png, NULL);
}

static tsr_status writing_failed(const job *j) {
  if (j->status == TSR_ENOMEM) return REFUSE(j, TSR_ENOMEM, "no memory for the encoder");
  if (j->status != TSR_OK) return REFUSE(j, j->status, "the sink failed after byte %z", j->written);
  return REFUSE(j, TSR_EUNSUPPORTED, "%s", j->text);
}

tsr_status tsr__png_encode(const tsr__image_call *call, const tsr__pixels *image, int level, tsr__png_row *fill,
                           void *user, const tsr_sink *sink) {
  tsr__scratch row;
  job j = {.call = call,
           .allocator = tsr__allocator(call->ctx),
           .image = *image,
           .sink = sink,
           .level = level,
           .fill = fill,
           .user = user};
  const size_t bytes = (size_t)image->width * (size_t)(image->channels * image->bits / 8);
  tsr_status st = tsr__scratch_get(call->ctx, call->op, bytes, &row);
  if (st != TSR_OK) return st;
  j.row = row.data;
  if (!guarded(&j, set_up_writing))
    st = writing_failed(&j);
  else if (j.info == NULL)
    st = REFUSE(&j, TSR_ENOMEM, "no memory for the encoder");
  else
    st = guarded(&j, write_image) ? TSR_OK : writing_failed(&j);
  png_destroy_write_struct(&j.png, &j.info);
  tsr__scratch_put(&row);
  return st;
}

#elif TSR_HAVE_STDIO

tsr_status tsr__png_decode(const tsr__image_call *call, const tsr__image_file *file) {
  (void)file;
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "%sthis build has no libpng", call->where);
}

tsr_status tsr__png_encode(const tsr__image_call *call, const tsr__pixels *image, int level, tsr__png_row *fill,
                           void *user, const tsr_sink *sink) {
  (void)image, (void)level, (void)fill, (void)user, (void)sink;
  return TSR__FAIL(call->ctx, TSR_EUNSUPPORTED, call->op, NULL, "this build has no libpng");
}

#endif
