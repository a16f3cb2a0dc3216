/* Slices: what is read, what is refused and where, and the view that comes of it. */
#include "support/test.h"

#include "../../tools/tessera/slice.c"

#include <tessera/tessera.h>

static bool read_text(const char *text, slice *s, slice_error *error) {
  return slice_parse(text, strlen(text), s, error);
}

/* A text, and its shortest form. */
static const char *const forms[][2] = {
    {"[0]", "[0]"},
    {"[ 0 , : , ::2 ]", "[0, :, ::2]"},
    {"[-1]", "[-1]"},
    {"[+3]", "[3]"},
    {"[:]", "[:]"},
    {"[::]", "[:]"},
    {"[1:]", "[1:]"},
    {"[:1]", "[:1]"},
    {"[1:2:1]", "[1:2]"},
    {"[::-1]", "[::-1]"},
    {"[-3:-1:2]", "[-3:-1:2]"},
    {"[...]", "[...]"},
    {"[..., 0]", "[..., 0]"},
    {"[None, 1:2]", "[None, 1:2]"},
    {"[0,]", "[0]"},
    {"\t[0]\t", "[0]"},
    {"[9223372036854775807]", "[9223372036854775807]"},
    {"[[ 1,2, -3 ], :]", "[[1, 2, -3], :]"},
    {"[..., [5,]]", "[..., [5]]"},
};

TEST(texts_are_read_and_written_back) {
  for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
    slice s, again;
    slice_error error;
    char text[128];
    CHECK(read_text(forms[i][0], &s, &error));
    CHECK(slice_format(&s, text, sizeof text) == strlen(forms[i][1]));
    CHECK(strcmp(text, forms[i][1]) == 0);
    CHECK(read_text(text, &again, &error) && again.count == s.count);
  }
}

/* A text, what is wrong with it, and at which byte. */
static const struct {
  const char *text, *what;
  size_t at;
} wrongs[] = {
    {"", "'[' is expected", 0},
    {"0]", "'[' is expected", 0},
    {"[", "an index", 1},
    {"[]", "an index", 1},
    {"[0", "',' or ']'", 2},
    {"[0 1]", "',' or ']'", 3},
    {"[,]", "an index", 1},
    {"[0,,1]", "an index", 3},
    {"[-]", "a number is expected", 2},
    {"[1:-]", "a number is expected", 4},
    {"[- 1]", "a number is expected", 2},
    {"[::0]", "a step cannot be 0", 4},
    {"[1:2:3:4]", "',' or ']'", 6},
    {"[..., ...]", "there can be one ... only", 9},
    {"[0]x", "nothing can follow", 3},
    {"[0][1]", "nothing can follow", 3},
    {"[99999999999999999999]", "too large", 19},
    {"[x]", "an index", 1},
    {"[0x1]", "',' or ']'", 2},
    {"[1.5]", "',' or ']'", 2},
    {"[[]]", "an index", 2},
    {"[[1:2]]", "',' or ']'", 3},
    {"[[1], [2]]", "one list", 7},
    {"[[1]", "',' or ']'", 4},
    {"[0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0]", "too many parts", 34},
};

TEST(what_is_wrong_is_named_with_its_place) {
  for (size_t i = 0; i < sizeof wrongs / sizeof wrongs[0]; i++) {
    slice s = {.count = 77};
    slice_error error = {0};
    CHECK(!read_text(wrongs[i].text, &s, &error));
    CHECK(s.count == 77);
    const bool right = error.what != NULL && strstr(error.what, wrongs[i].what) != NULL && error.at == wrongs[i].at;
    CHECK(right);
    if (!right) printf("  %s: %s at %zu\n", wrongs[i].text, error.what, error.at);
  }
}

TEST(a_buffer_that_is_short_is_closed) {
  slice s;
  char text[4] = "xxx";
  CHECK(read_text("[1:2, ...]", &s, NULL));
  CHECK(slice_format(&s, text, sizeof text) == 10 && strcmp(text, "[1:") == 0);
  CHECK(slice_format(&s, NULL, 0) == 10);
}

/* On elements 0 … 59 of shape [3,4,5]: the shape of the view, its first and its last element. */
static const struct {
  const char *text;
  int ndim;
  tsr_index shape[4];
  int first, last;
} views[] = {
    {"[0]", 2, {4, 5}, 0, 19},
    {"[-1]", 2, {4, 5}, 40, 59},
    {"[1, 2, 3]", 0, {0}, 33, 33},
    {"[:, ::2]", 3, {3, 2, 5}, 0, 54},
    {"[..., -1]", 2, {3, 4}, 4, 59},
    {"[0, ..., 1:3]", 2, {4, 2}, 1, 17},
    {"[::-1]", 3, {3, 4, 5}, 40, 19},
    {"[None, 2, None]", 4, {1, 1, 4, 5}, 40, 59},
    {"[1:100]", 3, {2, 4, 5}, 20, 59},
    {"[:, 3:0:-2, 4]", 2, {3, 2}, 19, 49},
    {"[...]", 3, {3, 4, 5}, 0, 59},
    {"[[2, 0]]", 3, {2, 4, 5}, 40, 19},
    {"[1, [-1], 2:]", 2, {1, 3}, 37, 39},
    {"[..., None, [4, 3, 3]]", 4, {3, 4, 1, 3}, 4, 58},
};

TEST(views_are_those_of_python) {
  static float data[60];
  tsr_tensor t = {0};
  for (int i = 0; i < 60; i++) data[i] = (float)i;
  OK(NULL, tsr_from_memory(NULL, data, TSR_F32, TSR_SHAPE(3, 4, 5), &t));
  for (size_t i = 0; i < sizeof views / sizeof views[0]; i++) {
    tsr_tensor v = {0};
    slice s;
    tsr_real first = -1, last = -1;
    CHECK(read_text(views[i].text, &s, NULL));
    OK(NULL, slice_apply(NULL, &t, &s, &v));
    CHECK(v.ndim == views[i].ndim);
    for (int k = 0; k < v.ndim; k++) CHECK(v.shape[k] == views[i].shape[k]);
    OK(NULL, tsr_get_flat(NULL, &v, 0, TSR_ROW_MAJOR, &first));
    OK(NULL, tsr_get_flat(NULL, &v, tsr_size(&v) - 1, TSR_ROW_MAJOR, &last));
    CHECK(first == views[i].first && last == views[i].last);
    tsr_release(&v); /* a list makes a copy */
  }
}

TEST(indices_and_axes_out_of_range_are_refused) {
  static float data[60];
  static const char *const texts[] = {"[3]", "[-4]", "[0, 0, 0, 0]", "[:, :, :, :]", "[0, 4]", "[[0, 3]]", "[[-4]]"};
  tsr_tensor t = {0}, v = {0};
  OK(NULL, tsr_from_memory(NULL, data, TSR_F32, TSR_SHAPE(3, 4, 5), &t));
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    slice s;
    CHECK(read_text(texts[i], &s, NULL));
    CHECK(slice_apply(NULL, &t, &s, &v) != TSR_OK && tsr_is_none(&v));
  }
}

TEST_MAIN(RUN(texts_are_read_and_written_back), RUN(what_is_wrong_is_named_with_its_place),
          RUN(a_buffer_that_is_short_is_closed), RUN(views_are_those_of_python),
          RUN(indices_and_axes_out_of_range_are_refused))
