#include <tessera/status.h>

#include "tsr_isa_config.h" /* written by the build */

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "an unknown compiler"
#endif

#if defined(TSR_CHECKED)
#define CHECKED ", checked"
#else
#define CHECKED ""
#endif

#define NAME(isa, before) before #isa
#define INSTRUCTION_SETS TSR_ISA_EACH(NAME, " ")

const char *tsr_version(void) { return TSR_VERSION_STRING; }

const char *tsr_build_tag(void) { return TSR_ABI_TAG; }

const char *tsr_build_info(void) {
  return "tessera " TSR_VERSION_STRING ", profile " TSR_PROFILE CHECKED ", " COMPILER ", kernels for" INSTRUCTION_SETS ", rank <= " TEXT(TSR_MAX_DIMS)
         ", index " TEXT(TSR_INDEX_BITS) " bits, real " TEXT(TSR_REAL_BITS) " bits, f64 " TEXT(TSR_HAVE_F64)
         ", small floats " TEXT(TSR_HAVE_SMALL_FLOATS) ", complex " TEXT(TSR_HAVE_COMPLEX)
         ", threads " TEXT(TSR_HAVE_THREADS) ", text " TEXT(TSR_HAVE_TEXT)
         ", zlib " TEXT(TSR_HAVE_ZLIB) ", png " TEXT(TSR_HAVE_PNG) ", jpeg " TEXT(TSR_HAVE_JPEG);
}
