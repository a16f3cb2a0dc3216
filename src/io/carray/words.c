/* Names that are taken before a tensor has one. */
#include "io/carray/words.h"

#include <stddef.h>
#include <string.h>

/* Both lists are sorted. Keywords of C11, C23 and C++20; names of the library; macros that compilers define. */
/* clang-format off */
static const char *const words[] = {
    "BUFSIZ", "CHAR_BIT", "CHAR_MAX", "CHAR_MIN", "CLOCKS_PER_SEC", "DECIMAL_DIG", "EOF", "FILE", "FILENAME_MAX",
    "FOPEN_MAX", "HUGE_VAL", "HUGE_VALF", "HUGE_VALL", "I", "INFINITY", "LLONG_MAX", "LLONG_MIN", "LONG_MAX",
    "LONG_MIN", "L_tmpnam", "MB_CUR_MAX", "MB_LEN_MAX", "NAN", "NULL", "ONCE_FLAG_INIT", "PTRDIFF_MAX", "PTRDIFF_MIN",
    "RAND_MAX", "SCHAR_MAX", "SCHAR_MIN", "SHRT_MAX", "SHRT_MIN", "SIG_ATOMIC_MAX", "SIG_ATOMIC_MIN", "SIZE_MAX",
    "TMP_MAX", "TSS_DTOR_ITERATIONS", "UCHAR_MAX", "ULLONG_MAX", "ULONG_MAX", "USHRT_MAX", "WCHAR_MAX", "WCHAR_MIN",
    "WEOF", "WINT_MAX", "WINT_MIN", "abort", "abs", "alignas", "aligned_alloc", "alignof", "and", "and_eq", "asctime",
    "asm", "assert", "at_quick_exit", "atexit", "atof", "atoi", "atol", "atoll", "auto", "bitand", "bitor", "bool",
    "break", "bsearch", "call_once", "calloc", "case", "catch", "char", "char16_t", "char32_t", "char8_t", "class",
    "clearerr", "clock", "clock_t", "co_await", "co_return", "co_yield", "compl", "complex", "concept", "const",
    "const_cast", "consteval", "constexpr", "constinit", "continue", "ctime", "decltype", "default", "delete",
    "difftime", "div", "div_t", "do", "double", "double_t", "dynamic_cast", "else", "enum", "errno", "exit",
    "explicit", "export", "extern", "false", "fclose", "feclearexcept", "fegetenv", "fegetexceptflag", "fegetround",
    "feholdexcept", "fenv_t", "feof", "feraiseexcept", "ferror", "fesetenv", "fesetexceptflag", "fesetround",
    "fetestexcept", "feupdateenv", "fexcept_t", "fflush", "fgetc", "fgetpos", "fgets", "float", "float_t", "fopen",
    "for", "fpclassify", "fpos_t", "fprintf", "fputc", "fputs", "fread", "free", "freopen", "friend", "fscanf",
    "fseek", "fsetpos", "ftell", "fwrite", "getc", "getchar", "getenv", "gmtime", "goto", "hpux", "i386", "if",
    "imaginary", "imaxabs", "imaxdiv", "imaxdiv_t", "inline", "int", "isalnum", "isalpha", "isblank", "iscntrl",
    "isdigit", "isfinite", "isgraph", "isgreater", "isgreaterequal", "isinf", "isless", "islessequal",
    "islessgreater", "islower", "isnan", "isnormal", "isprint", "ispunct", "isspace", "isunordered", "isupper",
    "iswalnum", "iswalpha", "iswblank", "iswcntrl", "iswdigit", "iswgraph", "iswlower", "iswprint", "iswpunct",
    "iswspace", "iswupper", "iswxdigit", "isxdigit", "jmp_buf", "kill_dependency", "labs", "ldiv", "ldiv_t", "linux",
    "llabs", "lldiv", "lldiv_t", "localeconv", "localtime", "long", "longjmp", "main", "malloc", "math_errhandling",
    "max_align_t", "mblen", "mbstate_t", "mbstowcs", "mbtowc", "memchr", "memcmp", "memcpy", "memmove",
    "memory_order", "memset", "mips", "mktime", "mutable", "namespace", "new", "noexcept", "noreturn", "not",
    "not_eq", "nullptr", "nullptr_t", "offsetof", "once_flag", "operator", "or", "or_eq", "perror", "printf",
    "private", "protected", "ptrdiff_t", "public", "putc", "putchar", "puts", "qsort", "quick_exit", "raise", "rand",
    "realloc", "register", "reinterpret_cast", "remove", "rename", "requires", "restrict", "return", "rewind",
    "scanf", "setbuf", "setjmp", "setlocale", "setvbuf", "sgi", "short", "sig_atomic_t", "signal", "signbit",
    "signed", "size_t", "sizeof", "snprintf", "sparc", "sprintf", "srand", "sscanf", "static", "static_assert",
    "static_cast", "std", "stderr", "stdin", "stdout", "strcat", "strchr", "strcmp", "strcoll", "strcpy", "strcspn",
    "strerror", "strftime", "strlen", "strncat", "strncmp", "strncpy", "strpbrk", "strrchr", "strspn", "strstr",
    "strtod", "strtof", "strtoimax", "strtok", "strtol", "strtold", "strtoll", "strtoul", "strtoull", "strtoumax",
    "struct", "strxfrm", "sun", "switch", "system", "template", "this", "thread_local", "throw", "time", "time_t",
    "timespec_get", "tmpfile", "tmpnam", "tolower", "toupper", "towlower", "towupper", "true", "try", "typedef",
    "typeid", "typename", "typeof", "typeof_unqual", "ungetc", "union", "unix", "unreachable", "unsigned", "using",
    "va_arg", "va_copy", "va_end", "va_list", "va_start", "vax", "vfprintf", "vfscanf", "virtual", "void", "volatile",
    "vprintf", "vscanf", "vsnprintf", "vsprintf", "vsscanf", "wchar_t", "wcstoimax", "wcstombs", "wcstoumax",
    "wctomb", "wctrans_t", "wctype_t", "while", "wint_t", "xor", "xor_eq"};
/* clang-format on */

/* Each also with f and l behind it. */
static const char *const math[] = {
    "acos",    "acosh",  "asin",      "asinh",     "atan",       "atan2", "atanh",     "cabs",   "cacos", "cacosh",
    "carg",    "casin",  "casinh",    "catan",     "catanh",     "cbrt",  "ccos",      "ccosh",  "ceil",  "cexp",
    "cimag",   "clog",   "conj",      "copysign",  "cos",        "cosh",  "cpow",      "cproj",  "creal", "csin",
    "csinh",   "csqrt",  "ctan",      "ctanh",     "erf",        "erfc",  "exp",       "exp2",   "expm1", "fabs",
    "fdim",    "floor",  "fma",       "fmax",      "fmin",       "fmod",  "frexp",     "hypot",  "ilogb", "ldexp",
    "lgamma",  "llrint", "llround",   "log",       "log10",      "log1p", "log2",      "logb",   "lrint", "lround",
    "modf",    "nan",    "nearbyint", "nextafter", "nexttoward", "pow",   "remainder", "remquo", "rint",  "round",
    "scalbln", "scalbn", "sin",       "sinh",      "sqrt",       "tan",   "tanh",      "tgamma", "trunc"};

static bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

static bool begins(const char *name, const char *start) { return strncmp(name, start, strlen(start)) == 0; }

static bool ends(const char *name, const char *end) {
  const size_t n = strlen(name), m = strlen(end);
  return n >= m && strcmp(name + n - m, end) == 0;
}

/* Whether one of the count words is the first length characters of name. */
static bool is_in(const char *const *list, size_t count, const char *name, size_t length) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    int order = strncmp(list[middle], name, length);
    if (order == 0 && list[middle][length] != '\0') order = 1;
    if (order == 0) return true;
    if (order < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return false;
}

static bool is_math(const char *name) {
  const size_t count = sizeof math / sizeof math[0], n = strlen(name);
  if (is_in(math, count, name, n)) return true;
  return n > 1 && (name[n - 1] == 'f' || name[n - 1] == 'l') && is_in(math, count, name, n - 1);
}

/* <stdint.h> */
static bool is_integer(const char *name) {
  if (begins(name, "int") || begins(name, "uint")) return ends(name, "_t");
  if (!begins(name, "INT") && !begins(name, "UINT")) return false;
  return ends(name, "_MAX") || ends(name, "_MIN") || ends(name, "_C") || ends(name, "_WIDTH");
}

/* Macros and families of names that headers of C have by how they begin; capitals or digits follow those of the first
 * list, anything those of the second. */
static bool is_family(const char *name) {
  static const char *const capitals[] = {"E",       "SIG",   "SIG_",  "LC_",   "FE_",     "FP_",
                                         "ATOMIC_", "TIME_", "SEEK_", "EXIT_", "MATH_ERR"};
  static const char *const starts[] = {"FLT_", "DBL_",  "LDBL_", "atomic_", "memory_order_",
                                       "mtx_", "thrd_", "cnd_",  "tss_"};
  for (size_t i = 0; i < sizeof capitals / sizeof capitals[0]; i++) {
    const char after = begins(name, capitals[i]) ? name[strlen(capitals[i])] : '\0';
    if (is_upper(after) || (after >= '0' && after <= '9')) return true;
  }
  for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
    if (begins(name, starts[i])) return true;
  const bool format = begins(name, "PRI") || begins(name, "SCN"); /* <inttypes.h> */
  return format && (name[3] == 'X' || (name[3] >= 'a' && name[3] <= 'z'));
}

bool tsr__is_c_word(const char *name) {
  if (name[0] == '_') return name[1] == '\0' || name[1] == '_' || is_upper(name[1]);
  if (name[0] == '\0' || begins(name, "tsr_") || begins(name, "TSR_")) return true;
  return is_integer(name) || is_family(name) || is_in(words, sizeof words / sizeof words[0], name, strlen(name)) ||
         is_math(name);
}
