/* Tables: what is a number, a header, a missing field; every dtype round; each refusal with its line and column. */
#include "files_support.h"

#include <tessera/csv.h>
#include <tessera/formats.h>

#if TSR_HAVE_STDIO && TSR_HAVE_MMAP && TSR_HAVE_F64

#include <errno.h>
#include <locale.h>
#include <math.h>

static tsr_status decode(tsr_ctx *ctx, const char *text, const tsr_csv_options *options, tsr_tensor *out,
                         tsr_metadata *columns) {
  return tsr_csv_decode(ctx, text, strlen(text), options, out, columns);
}

/* ---- what is written ---- */

typedef struct text_sink {
  char at[1 << 16];
  size_t n, fail_at;
} text_sink;

static tsr_status add(void *self, const void *bytes, size_t n) {
  text_sink *s = self;
  if (n >= sizeof s->at - s->n || (s->fail_at > 0 && s->n + n > s->fail_at)) return TSR_EIO;
  memcpy(s->at + s->n, bytes, n);
  s->n += n;
  s->at[s->n] = '\0';
  return TSR_OK;
}

static tsr_status encode(tsr_ctx *ctx, const tsr_tensor *t, const tsr_metadata *columns, const tsr_csv_options *options,
                         text_sink *s) {
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = s};
  s->n = 0;
  return tsr_csv_write(ctx, t, columns, options, &sink);
}

/* ---- what is read ---- */

static const struct {
  const char *text;
  tsr_index rows, columns;
  double values[6];
} tables[] = {
    {"1,2,3\n4,5,6\n", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"1,2,3\n4,5,6", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"1,2,3\r\n4,5,6\r\n", 2, 3, {1, 2, 3, 4, 5, 6}},
    {"\xef\xbb\xbf"
     "1,2\n3,4\n",
     2,
     2,
     {1, 2, 3, 4}},
    {"\n\n1,2\n  \n\r\n3,4\n\n", 2, 2, {1, 2, 3, 4}},
    {"a,b\n1,2\n", 1, 2, {1, 2}},
    {"\"a, b\",\"c \"\"d\"\"\"\n1,2\n", 1, 2, {1, 2}},
    {"\"a\nb\",c\n1,2\n", 1, 2, {1, 2}},
    {"1\t2\n3\t4\n", 2, 2, {1, 2, 3, 4}},
    {"a b\t\"c,\td\"\n1\t2\n", 1, 2, {1, 2}},
    {" 1 , +2.5 ,  -.5 \n", 1, 3, {1, 2.5, -0.5}},
    {"\"1\",\"2\" , 3\n", 1, 3, {1, 2, 3}},
    {"1e3,1E-3,1.e+2\n", 1, 3, {1000, 0.001, 100}},
    {"inf,-Infinity,INF\n", 1, 3, {HUGE_VAL, -HUGE_VAL, HUGE_VAL}},
    {"7", 1, 1, {7}},
    {"-0\n", 1, 1, {-0.0}},
    {"0.1,0.30000000000000004,1.7976931348623157e308\n", 1, 3, {0.1, 0.30000000000000004, 1.7976931348623157e308}},
    {"5e-324,2.2250738585072014e-308,1e-400\n", 1, 3, {5e-324, 2.2250738585072014e-308, 0}},
    {"9007199254740993,9007199254740992.99999999999999999,123456789012345678901234567890\n",
     1,
     3,
     {9007199254740992.0, 9007199254740992.0, 123456789012345678901234567890.0}},
    {"0.0000000000000000000000000000000000000000000000001e49,1000000000000000000000000000000e-30\n", 1, 2, {1, 1}},
    {"1e99999999999999999999,2\n", 0, 0, {0}}, /* refused: see below */
};

TEST(tables_of_numbers) {
  for (int i = 0; i < (int)(sizeof tables / sizeof tables[0]) - 1; i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    OK(ctx, decode(ctx, tables[i].text, NULL, &t, NULL));
    const tsr_index n = tables[i].rows * tables[i].columns;
    CHECK(t.dtype == TSR_F64 && t.ndim == 2 && t.shape[0] == tables[i].rows && t.shape[1] == tables[i].columns);
    if (tsr_size(&t) == n) CHECK(memcmp(t.data, tables[i].values, (size_t)n * sizeof(double)) == 0);
    if (test_now.failures > 0) printf("   in table %d\n", i);
    tsr_release(&t);
    CHECK(m.failing.live == 0);
  }
}

TEST(headers) {
  tsr_tensor t = {0};
  tsr_metadata names = {0};
  tsr_csv_options options = {0};
  OK(NULL, decode(NULL, "x,\"y, z\",\n1,2,3\n", &options, &t, &names));
  CHECK(names.count == 3 && strcmp(tsr_metadata_find(&names, "column.1"), "y, z") == 0);
  CHECK(strcmp(tsr_metadata_find(&names, "column.2"), "") == 0 && t.shape[0] == 1);
  tsr_release(&t);
  FAILS(NULL, TSR_ESTATE, decode(NULL, "x\n1\n", &options, &t, &names));
  tsr_metadata_release(&names);
  options.header = TSR_CSV_HEADER_FIRST; /* years */
  OK(NULL, decode(NULL, "2020,2021\n1,2\n", &options, &t, &names));
  CHECK(t.shape[0] == 1 && strcmp(tsr_metadata_find(&names, "column.0"), "2020") == 0);
  tsr_release(&t);
  tsr_metadata_release(&names);
  options.header = TSR_CSV_HEADER_NONE;
  FAILS(NULL, TSR_EFORMAT, decode(NULL, "x,y\n1,2\n", &options, &t, &names));
  MESSAGE_HAS(NULL, "csv_decode: line 1, column 1: 'x' is no number");
  options.header = TSR_CSV_HEADER_AUTO;
  OK(NULL, decode(NULL, "x,y\n", &options, &t, &names)); /* names and no rows */
  CHECK(t.shape[0] == 0 && t.shape[1] == 2 && names.count == 2);
  tsr_release(&t);
  tsr_metadata_release(&names);
  options.header = TSR_CSV_HEADER_FIRST; /* a name that is empty, alone */
  OK(NULL, decode(NULL, "\"\"\n2\n", &options, &t, &names));
  CHECK(t.shape[0] == 1 && names.count == 1);
  static text_sink s;
  OK(NULL, encode(NULL, &t, &names, NULL, &s));
  CHECK(strcmp(s.at, "\"\"\n2\n") == 0);
  tsr_release(&t);
  tsr_metadata_release(&names);
  options.header = TSR_CSV_HEADER_AUTO;
  OK(NULL, decode(NULL, ",NA\n1,2\n", &options, &t, &names)); /* missing is no word */
  CHECK(t.shape[0] == 2 && names.count == 0);
  tsr_release(&t);
}

TEST(missing_fields) {
  tsr_tensor t = {0};
  tsr_csv_options options = {0};
  OK(NULL, decode(NULL, "1,,3\nNA,null,n/a\nNone, ,nan\n", &options, &t, NULL));
  REQUIRE(tsr_size(&t) == 9);
  const double *x = t.data;
  CHECK(x[0] == 1 && isnan(x[1]) && x[2] == 3);
  for (int i = 3; i < 9; i++) CHECK(isnan(x[i]));
  tsr_release(&t);
  options.whole = true;
  FAILS(NULL, TSR_EFORMAT, decode(NULL, "1,2\n3,\n", &options, &t, NULL));
  MESSAGE_HAS(NULL, "csv_decode: line 2, column 2: a missing field");
  OK(NULL, decode(NULL, "-nan,nan\n", &options, &t, NULL)); /* it is there, and has no sign */
  CHECK(memcmp(t.data, (const char *)t.data + sizeof(double), sizeof(double)) == 0);
  tsr_release(&t);
  options = (tsr_csv_options){.dtype = TSR_I32};
  FAILS(NULL, TSR_EFORMAT, decode(NULL, "1,NA\n", &options, &t, NULL));
  MESSAGE_HAS(NULL, "line 1, column 2: a missing field");
}

/* ---- what is refused ---- */

static const struct {
  const char *text;
  int dtype;
  tsr_status status;
  const char *message;
} refusals[] = {
    {"", 0, TSR_EFORMAT, "line 1: no rows"},
    {"\n\n", 0, TSR_EFORMAT, "line 3: no rows"},
    {"1,2\n3\n", 0, TSR_EFORMAT, "line 2, column 1: the row ends after 1 fields, the first has 2"},
    {"1,2\n3,4,5\n", 0, TSR_EFORMAT, "line 2, column 3: more fields than the 2 of the first row"},
    {"1,2\n3,x\n", 0, TSR_EFORMAT, "line 2, column 2: 'x' is no number"},
    {"1,2\n3,4;5\n", 0, TSR_EFORMAT, "line 2, column 2: '4;5' is no number; fields end at ','"},
    {"1,2\n\n\n3,4 5\n", 0, TSR_EFORMAT, "line 4, column 2: '4 5' is no number"},
    {"1\n0x10\n", 0, TSR_EFORMAT, "line 2, column 1: '0x10' is no number"},
    {"1\n1e\n", 0, TSR_EFORMAT, "'1e' is no number"},
    {"1\n1e+\n", 0, TSR_EFORMAT, "'1e+' is no number"},
    {"1\n1e5.5\n", 0, TSR_EFORMAT, "'1e5.5' is no number"},
    {"1\n.\n", 0, TSR_EFORMAT, "'.' is no number"},
    {"1\n--1\n", 0, TSR_EFORMAT, "'--1' is no number"},
    {"1\n1.2.3\n", 0, TSR_EFORMAT, "'1.2.3' is no number"},
    {"1\nnan(1)\n", 0, TSR_EFORMAT, "'nan(1)' is no number"},
    {"1\n\"1,5\"\n", 0, TSR_EFORMAT, "line 2, column 1: '1,5' is no number"},
    {"1\n\"2\n", 0, TSR_EFORMAT, "line 2, column 1: a quoted field does not end"},
    {"1\n\"2\"3\n", 0, TSR_EFORMAT, "line 2, column 1: text after a closing quote"},
    {"1\n\x1b[31m\n", 0, TSR_EFORMAT, "'?[31m' is no number"},
    {"a\xff\n1\n", 0, TSR_EFORMAT, "line 1, column 1: a column's name is not UTF-8"},
    {"1\n1e400\n", 0, TSR_ERANGE, "line 2, column 1: '1e400' does not fit f64"},
    {"1e99999999999999999999,2\n", 0, TSR_ERANGE, "does not fit f64"},
    {"1\n-1e39\n", TSR_F32, TSR_ERANGE, "line 2, column 1: '-1e39' does not fit f32"},
    {"1\n70000\n", TSR_F16, TSR_ERANGE, "'70000' does not fit f16"},
    {"1\n128\n", TSR_I8, TSR_ERANGE, "line 2, column 1: '128' does not fit i8"},
    {"1\n-1\n", TSR_U8, TSR_ERANGE, "'-1' does not fit u8"},
    {"1\n2\n", TSR_BOOL, TSR_ERANGE, "'2' does not fit bool"},
    {"1\n9223372036854775808\n", TSR_I64, TSR_ERANGE, "does not fit i64"},
    {"1\n-9223372036854775809\n", TSR_I64, TSR_ERANGE, "does not fit i64"},
    {"1\n18446744073709551616\n", TSR_U64, TSR_ERANGE, "does not fit u64"},
    {"1\n100000000000000000000000\n", TSR_U64, TSR_ERANGE, "does not fit u64"},
    {"1\n-1\n", TSR_U64, TSR_ERANGE, "does not fit u64"},
    {"1\n1.5\n", TSR_I32, TSR_EFORMAT, "line 2, column 1: '1.5' is no whole number, as i32 needs"},
    {"1\n1e3\n", TSR_I32, TSR_EFORMAT, "'1e3' is no whole number"},
    {"1\nnan\n", TSR_I32, TSR_EFORMAT, "'nan' is no whole number"},
};

TEST(refusals_name_line_and_column) {
  for (int i = 0; i < (int)(sizeof refusals / sizeof refusals[0]); i++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, SIZE_MAX, false);
    tsr_tensor t = {0};
    tsr_metadata names = {0};
    const tsr_csv_options options = {.dtype = refusals[i].dtype};
    FAILS(ctx, refusals[i].status, decode(ctx, refusals[i].text, &options, &t, &names));
    MESSAGE_HAS(ctx, refusals[i].message);
    CHECK(tsr_is_none(&t) && names.count == 0 && m.failing.live == 0);
  }
}

/* Data and comments are not taken for names; what is quoted, or said to be a header, is one. */
TEST(a_first_row_is_no_header_in_silence) {
  static const struct {
    const char *text, *message;
  } cases[] = {{"5,2024-01-31\n6,2024-02-01\n", "line 1, column 2: '2024-01-31' is neither a number nor a name"},
               {"12:30:05,1\n", "'12:30:05' is neither"},
               {"2024-01-31T12:30:05Z,1\n", "is neither"},
               {"31/1/24 12:30,1\n", "is neither"},
               {"1,2 # c\n3,4\n", "line 1, column 2: '2 # c' begins as a number and is none, in a row of numbers"},
               {"1e5,1E-3,1d3\n", "line 1, column 3: '1d3' begins as a number"},
               {"1.5.2,3\n4,5\n", "line 1, column 1: '1.5.2' begins as a number"},
               {"0x10,1\n", "'0x10' begins as a number"},
               {"# made by hand\n1,2\n", "line 1, column 1: '# made by hand' begins as a comment does"}};
  static const char *const names[] = {"3T,1e,a\n1,2,3\n", "2020-Q1,1.2.3,b\n1,2,3\n", "-,..,+\n1,2,3\n",
                                      "\"1 2\",\"#\",c\n1,2,3\n", "a b,c-d,e:f\n1,2,3\n"};
  tsr_ctx *const ctx = NULL;
  for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); i++) {
    tsr_tensor t = {0};
    FAILS(ctx, TSR_EFORMAT, decode(ctx, cases[i].text, NULL, &t, NULL));
    MESSAGE_HAS(ctx, cases[i].message);
    CHECK(tsr_is_none(&t));
  }
  for (int i = 0; i < (int)(sizeof names / sizeof names[0]); i++) {
    tsr_tensor t = {0}, again = {0};
    tsr_metadata columns = {0}, twice = {0};
    static text_sink s;
    OK(ctx, decode(ctx, names[i], NULL, &t, &columns));
    CHECK(t.shape[0] == 1 && t.shape[1] == 3 && columns.count == 3);
    OK(ctx, encode(ctx, &t, &columns, NULL, &s)); /* and is a header again when it was written */
    OK(ctx, tsr_csv_decode(ctx, s.at, s.n, NULL, &again, &twice));
    for (tsr_index k = 0; k < 3; k++) CHECK(strcmp(columns.pairs[k].value, twice.pairs[k].value) == 0);
    tsr_metadata_release(&columns);
    tsr_metadata_release(&twice);
    tsr_release(&t);
    tsr_release(&again);
  }
  tsr_tensor t = {0};
  tsr_metadata columns = {0};
  OK(ctx, decode(ctx, "2024-01-31,# b\n1,2\n", &(tsr_csv_options){.header = TSR_CSV_HEADER_FIRST}, &t, &columns));
  CHECK(strcmp(tsr_metadata_find(&columns, "column.0"), "2024-01-31") == 0 && t.shape[0] == 1);
  tsr_metadata_release(&columns);
  tsr_release(&t);
}

TEST(fields) {
  tsr_tensor t = {0};
  const tsr_csv_options options = {.max_field = 3};
  FAILS(NULL, TSR_EFORMAT, decode(NULL, "123,1234\n", &options, &t, NULL));
  MESSAGE_HAS(NULL, "line 1, column 2: a field of more than 3 bytes");
  FAILS(NULL, TSR_EFORMAT, tsr_csv_decode(NULL, "1,\0\n", 4, NULL, &t, NULL));
  MESSAGE_HAS(NULL, "line 1, column 2: a byte of zero");
}

TEST(separators_and_comments) {
  tsr_tensor t = {0};
  tsr_csv_options options = {.separator = ';', .comment = '#'};
  OK(NULL, decode(NULL, "# a;b\n1;2\n#\n3;4\n", &options, &t, NULL));
  CHECK(t.shape[0] == 2 && ((const double *)t.data)[3] == 4);
  tsr_release(&t);
  options = (tsr_csv_options){.separator = ' '};
  OK(NULL, decode(NULL, "1 2\n3 4\n", &options, &t, NULL));
  CHECK(t.shape[1] == 2);
  tsr_release(&t);
  static const char wrong[] = {'"', '\n', '.', '-', '5', 'e', (char)0x80};
  for (size_t i = 0; i < sizeof wrong; i++) {
    options.separator = wrong[i];
    FAILS(NULL, TSR_EARG, decode(NULL, "1\n", &options, &t, NULL));
  }
}

/* ---- numbers ---- */

/* f32 is rounded once: half-way cases that a double would have rounded already. */
TEST(floats_are_rounded_once) {
  static const struct {
    const char *text;
    float value;
  } rows[] = {{"1.00000005960464477539062500000001", 0x1.000002p0f}, /* just above the middle of two floats */
              {"1.000000059604644775390625", 1.0f},                  /* the middle: to even */
              {"0.1", 0.1f},
              {"16777217", 16777216.0f},
              {"3.4028234e38", 0x1.fffffep127f},
              {"1e-45", 0x1p-149f},
              {"1.1754943508222875e-38", 0x1p-126f}};
  for (int i = 0; i < (int)(sizeof rows / sizeof rows[0]); i++) {
    tsr_tensor t = {0};
    const tsr_csv_options options = {.dtype = TSR_F32};
    OK(NULL, decode(NULL, rows[i].text, &options, &t, NULL));
    CHECK(tsr_size(&t) == 1 && *(const float *)t.data == rows[i].value);
    tsr_release(&t);
  }
}

/* As strtod, for numbers of every length. */
TEST(doubles_as_the_c_library_reads_them) {
  uint64_t state = 1;
  for (int i = 0; i < 20000; i++) {
    char text[64];
    tsr_tensor t = {0};
    int n = 0;
    state = state * 6364136223846793005u + 1442695040888963407u;
    const int digits = 1 + (int)(state >> 33) % 24, point = (int)(state >> 40) % 26;
    for (int d = 0; d < digits; d++) {
      if (d == point) text[n++] = '.';
      state = state * 6364136223846793005u + 1442695040888963407u;
      text[n++] = (char)('0' + (int)(state >> 33) % 10);
    }
    (void)snprintf(text + n, sizeof text - (size_t)n, "e%d", (int)(state >> 35) % 60 - 30);
    OK(NULL, decode(NULL, text, NULL, &t, NULL));
    REQUIRE(tsr_size(&t) == 1 && *(const double *)t.data == strtod(text, NULL));
    tsr_release(&t);
  }
}

TEST(a_locale_changes_nothing) {
  tsr_tensor t = {0};
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL)
    SKIP("no locale with a decimal comma is installed");
  OK(NULL, decode(NULL, "1.5,0.30000000000000004440892098500626\n", NULL, &t, NULL));
  (void)setlocale(LC_ALL, "C");
  CHECK(((const double *)t.data)[0] == 1.5 && ((const double *)t.data)[1] == 0.30000000000000004);
  tsr_release(&t);
}

/* ---- round trips ---- */

/* Every bit pattern of the first bytes that is a number comes back as it was. */
TEST(every_dtype_round) {
  static text_sink s;
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    const tsr_dtype_info *info = tsr_dtype_describe(dtype);
    if (info->class_ == TSR_CLASS_COMPLEX) continue;
    tsr_tensor t = {0}, back = {0}, again = {0};
    const tsr_csv_options options = {.dtype = dtype};
    OK(NULL, tsr_desc_init(NULL, dtype, TSR_SHAPE(40, 5), &t));
    OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &t));
    uint64_t state = (uint64_t)dtype;
    for (size_t i = 0; i < tsr_nbytes(&t); i++) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      ((uint8_t *)t.data)[i] = dtype == TSR_BOOL ? (uint8_t)(state >> 63) : (uint8_t)(state >> 40);
    }
    OK(NULL, encode(NULL, &t, NULL, NULL, &s));
    OK(NULL, tsr_csv_decode(NULL, s.at, s.n, &options, &back, NULL));
    CHECK(tsr_desc_equal(&t, &back));
    static text_sink other;
    OK(NULL, encode(NULL, &back, NULL, NULL, &other)); /* NaNs have one text */
    CHECK(s.n == other.n && memcmp(s.at, other.at, s.n) == 0);
    if (info->class_ != TSR_CLASS_FLOAT) CHECK(memcmp(t.data, back.data, tsr_nbytes(&t)) == 0);
    OK(NULL, tsr_desc_init_ordered(NULL, dtype, TSR_SHAPE(40, 5), TSR_FORTRAN, &again));
    OK(NULL, tsr_allocate(NULL, NULL, TSR_HINT_DEFAULT, &again));
    OK(NULL, tsr_csv_decode(NULL, s.at, s.n, &options, &again, NULL));
    OK(NULL, encode(NULL, &again, NULL, NULL, &other));
    CHECK(s.n == other.n && memcmp(s.at, other.at, s.n) == 0);
    tsr_release(&again);
    tsr_release(&back);
    tsr_release(&t);
  }
}

TEST(what_is_written) {
  static text_sink s;
  static const double x[6] = {1, -0.0, 0.1, 1e300, 0, 2.5};
  double values[6];
  memcpy(values, x, sizeof x);
  values[4] = (double)NAN;
  tsr_tensor t = {0}, row = {0}, scalar = {0}, none = {0};
  tsr_metadata names = {0};
  const tsr_csv_options tabs = {.separator = '\t'};
  OK(NULL, tsr_from_memory(NULL, values, TSR_F64, TSR_SHAPE(2, 3), &t));
  OK(NULL, tsr_metadata_set(NULL, &names, "column.2", "c \"d\""));
  OK(NULL, tsr_metadata_set(NULL, &names, "column.0", "a,b"));
  OK(NULL, encode(NULL, &t, &names, NULL, &s));
  CHECK(strcmp(s.at, "\"a,b\",,\"c \"\"d\"\"\"\n1,-0,0.1\n1e+300,nan,2.5\n") == 0);
  OK(NULL, encode(NULL, &t, NULL, &tabs, &s));
  CHECK(strcmp(s.at, "1\t-0\t0.1\n1e+300\tnan\t2.5\n") == 0);
  OK(NULL, tsr_from_memory(NULL, values, TSR_F64, TSR_SHAPE(3), &row));
  OK(NULL, encode(NULL, &row, NULL, NULL, &s));
  CHECK(strcmp(s.at, "1\n-0\n0.1\n") == 0);
  OK(NULL, tsr_from_memory(NULL, values, TSR_F64, 0, NULL, &scalar));
  OK(NULL, encode(NULL, &scalar, NULL, NULL, &s));
  CHECK(strcmp(s.at, "1\n") == 0);
  OK(NULL, tsr_from_memory(NULL, values, TSR_F64, TSR_SHAPE(0, 3), &none));
  OK(NULL, encode(NULL, &none, &names, NULL, &s));
  CHECK(strcmp(s.at, "\"a,b\",,\"c \"\"d\"\"\"\n") == 0);
  s.fail_at = 5;
  FAILS(NULL, TSR_EIO, encode(NULL, &t, NULL, NULL, &s));
  MESSAGE_HAS(NULL, "csv_write: the sink failed");
  s.fail_at = 0;
  tsr_metadata_release(&names);
}

/* ---- sources, files, failures ---- */

TEST(sources_in_pieces) {
  static const char text[] = "a,\"b\"\"c\"\r\n1.25,-3e2\r\n\"4\",NA\r\n";
  for (size_t chunk = 1; chunk < sizeof text - 1; chunk++) {
    npy_source state = {.at = (const uint8_t *)text, .n = sizeof text - 1, .chunk = chunk, .fail_at = SIZE_MAX};
    const tsr_source source = {.size = sizeof(tsr_source), .read = npy_source_read, .self = &state};
    tsr_tensor t = {0};
    tsr_metadata names = {0};
    OK(NULL, tsr_csv_read(NULL, &source, NULL, &t, &names));
    REQUIRE(tsr_size(&t) == 4);
    const double *x = t.data;
    CHECK(x[0] == 1.25 && x[1] == -300 && x[2] == 4 && isnan(x[3]));
    CHECK(strcmp(tsr_metadata_find(&names, "column.1"), "b\"c") == 0);
    tsr_release(&t);
    tsr_metadata_release(&names);
    state.taken = 0, state.fail_at = chunk;
    FAILS(NULL, TSR_EIO, tsr_csv_read(NULL, &source, NULL, &t, &names));
    CHECK(tsr_is_none(&t) && names.count == 0);
  }
}

TEST(no_memory) {
  static char text[20000];
  size_t n = 0;
  tsr_status st = TSR_EIO;
  for (int i = 0; i < 1000; i++) n += (size_t)snprintf(text + n, sizeof text - n, i == 0 ? "x,y\n" : "%d,%d\n", i, -i);
  for (size_t k = 0; st != TSR_OK && k < 100; k++) {
    npy_memory m;
    tsr_ctx *ctx = memory_start(&m, k, false);
    tsr_tensor t = {0};
    tsr_metadata names = {0};
    st = tsr_csv_decode(ctx, text, n, NULL, &t, &names);
    CHECK(st == TSR_OK ? t.shape[0] == 999 : st == TSR_ENOMEM && tsr_is_none(&t) && names.count == 0);
    tsr_release(&t);
    tsr_metadata_release(&names);
    CHECK(m.failing.live == 0);
  }
  CHECK(st == TSR_OK);
}

TEST(given_outputs) {
  double x[4] = {9, 9, 9, 9};
  tsr_tensor t = {0}, wrong = {0};
  OK(NULL, tsr_from_memory(NULL, x, TSR_F64, TSR_SHAPE(2, 2), &t));
  OK(NULL, tsr_from_memory(NULL, x, TSR_F64, TSR_SHAPE(4), &wrong));
  FAILS(NULL, TSR_EFORMAT, decode(NULL, "1,2\n3,x\n", NULL, &t, NULL));
  FAILS(NULL, TSR_ESHAPE, decode(NULL, "1,2\n3,4\n", NULL, &wrong, NULL));
  CHECK(x[0] == 9 && x[3] == 9); /* nothing was written */
  OK(NULL, decode(NULL, "1,2\n3,4\n", NULL, &t, NULL));
  CHECK(x[0] == 1 && x[3] == 4);
}

TEST(files_and_bundles) {
  tsr_bundle b = {0}, back = {0};
  tsr_metadata names = {0}, read = {0};
  tsr_tensor t = {0}, again = {0};
  static const double x[4] = {1, 2, 3, 4};
  int format = 0;
  REQUIRE(folder_make());
  OK(NULL, tsr_from_const_memory(NULL, x, TSR_F64, TSR_SHAPE(2, 2), &t));
  OK(NULL, tsr_bundle_add(NULL, &b, "t", &t));
  OK(NULL, tsr_metadata_set(NULL, &names, "column.0", "first"));
  OK(NULL, tsr_metadata_set(NULL, &names, "column.1", "second"));
  for (int i = 0; i < 2; i++) {
    const char *path = in_folder(i == 0 ? "numbers.csv" : "numbers.tsv");
    OK(NULL, tsr_bundle_save(NULL, path, TSR_FORMAT_AUTO, &b, &names));
    OK(NULL, tsr_format_detect(NULL, path, &format));
    CHECK(format == (i == 0 ? TSR_FORMAT_CSV : TSR_FORMAT_TSV));
    CHECK(strcmp(tsr_format_name((tsr_format)format), i == 0 ? "csv" : "tsv") == 0);
    OK(NULL, tsr_bundle_load(NULL, path, &back, &read));
    REQUIRE(back.count == 1 && read.count == 2);
    CHECK(strcmp(back.tensors[0].name, "numbers") == 0 && memcmp(back.tensors[0].data, x, sizeof x) == 0);
    CHECK(strcmp(tsr_metadata_find(&read, "column.1"), "second") == 0);
    tsr_bundle_release(&back);
    tsr_metadata_release(&read);
  }
  OK(NULL, tsr_csv_load(NULL, in_folder("numbers.csv"), NULL, &again, NULL));
  tsr_release(&again);
  OK(NULL, tsr_metadata_set(NULL, &names, "who", "me"));
  FAILS(NULL, TSR_EUNSUPPORTED, tsr_bundle_save(NULL, in_folder("x.csv"), TSR_FORMAT_AUTO, &b, &names));
  MESSAGE_HAS(NULL, "csv files have room for the names of columns, not for who");
  FAILS(NULL, TSR_EIO, tsr_csv_load(NULL, in_folder("missing.csv"), NULL, &again, NULL));
  tsr_metadata_release(&names);
  tsr_bundle_release(&b);
  folder_end();
}

/* What a reader would refuse is not written. */
TEST(names_that_are_not_utf8) {
  static text_sink s;
  static double x[2] = {1, 2};
  tsr_tensor t = {0};
  tsr_metadata names = {0};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = &s};
  OK(NULL, tsr_from_memory(NULL, x, TSR_F64, TSR_SHAPE(1, 2), &t));
  OK(NULL, tsr_metadata_set(NULL, &names, "column.1", "a\xc3\xa9"));
  OK(NULL, tsr_csv_write(NULL, &t, &names, NULL, &sink));
  s.n = 0;
  OK(NULL, tsr_metadata_set(NULL, &names, "column.1", "a\xc3"));
  FAILS(NULL, TSR_ENAME, tsr_csv_write(NULL, &t, &names, NULL, &sink));
  MESSAGE_HAS(NULL, "of column 1 is not UTF-8");
  CHECK(s.n == 0);
  tsr_metadata_release(&names);
}

TEST(bad_calls) {
  static text_sink s;
  tsr_tensor t = {0}, c = {0}, cube = {0};
  double x[8] = {0};
  tsr_csv_options options = {.dtype = TSR_C64};
  const tsr_csv_options letter = {.separator = 'a'};
  const tsr_sink sink = {.size = sizeof(tsr_sink), .write = add, .self = &s};
  OK(NULL, tsr_from_memory(NULL, x, TSR_F64, TSR_SHAPE(2, 2), &t));
  OK(NULL, tsr_from_memory(NULL, x, TSR_C64, TSR_SHAPE(2, 2), &c));
  OK(NULL, tsr_from_memory(NULL, x, TSR_F64, TSR_SHAPE(2, 2, 2), &cube));
  FAILS(NULL, TSR_EDTYPE, decode(NULL, "1", &options, &t, NULL));
  options = (tsr_csv_options){.header = 5};
  FAILS(NULL, TSR_EARG, decode(NULL, "1", &options, &t, NULL));
  options = (tsr_csv_options){.max_field = SIZE_MAX};
  FAILS(NULL, TSR_EARG, decode(NULL, "1", &options, &t, NULL));
  FAILS(NULL, TSR_EARG, decode(NULL, "1", NULL, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_csv_decode(NULL, NULL, 1, NULL, &t, NULL));
  FAILS(NULL, TSR_EARG, tsr_csv_read(NULL, NULL, NULL, &t, NULL));
  FAILS(NULL, TSR_EARG, tsr_csv_load(NULL, NULL, NULL, &t, NULL));
  FAILS(NULL, TSR_EARG, tsr_csv_save(NULL, NULL, &t, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_csv_write(NULL, &t, NULL, NULL, NULL));
  FAILS(NULL, TSR_EARG, tsr_csv_write(NULL, NULL, NULL, NULL, &sink));
  FAILS(NULL, TSR_EARG, tsr_csv_write(NULL, &t, NULL, &letter, &sink));
  FAILS(NULL, TSR_EDTYPE, tsr_csv_write(NULL, &c, NULL, NULL, &sink));
  FAILS(NULL, TSR_ESHAPE, tsr_csv_write(NULL, &cube, NULL, NULL, &sink));
  MESSAGE_HAS(NULL, "csv_write: t f64 [2,2,2]: a table has rank 0, 1 or 2");
  FAILS(NULL, TSR_ESHAPE, tsr_csv_save(NULL, "cube.csv", &cube, NULL, NULL)); /* in the name of what was called */
  MESSAGE_HAS(NULL, "csv_save: t f64 [2,2,2]: a table has rank 0, 1 or 2");
  CHECK(strcmp(tsr_error_details(NULL)->op, "csv_save") == 0);
}

TEST_MAIN(RUN(tables_of_numbers), RUN(headers), RUN(missing_fields), RUN(refusals_name_line_and_column),
          RUN(a_first_row_is_no_header_in_silence), RUN(fields), RUN(separators_and_comments),
          RUN(floats_are_rounded_once), RUN(doubles_as_the_c_library_reads_them), RUN(a_locale_changes_nothing),
          RUN(every_dtype_round), RUN(what_is_written), RUN(sources_in_pieces), RUN(no_memory), RUN(given_outputs),
          RUN(files_and_bundles), RUN(names_that_are_not_utf8), RUN(bad_calls))

#else

TEST(files) { SKIP("no files in this profile"); }
TEST_MAIN(RUN(files))

#endif
