#include <tessera/status.h>

#include "core/notes.h"
#include "core/text.h"

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

#define INFO \
  "tessera " TSR_VERSION_STRING ", profile " TSR_PROFILE CHECKED ", " COMPILER ", kernels for" INSTRUCTION_SETS        \
  ", rank <= " TEXT(TSR_MAX_DIMS) ", index " TEXT(TSR_INDEX_BITS) " bits, real " TEXT(TSR_REAL_BITS) " bits, f64 "      \
  TEXT(TSR_HAVE_F64) ", small floats " TEXT(TSR_HAVE_SMALL_FLOATS) ", complex " TEXT(TSR_HAVE_COMPLEX)                  \
  ", threads " TEXT(TSR_HAVE_THREADS) ", text " TEXT(TSR_HAVE_TEXT) ", zlib " TEXT(TSR_HAVE_ZLIB)                       \
  ", png " TEXT(TSR_HAVE_PNG) ", jpeg " TEXT(TSR_HAVE_JPEG)

const char *tsr_version(void) { return TSR_VERSION_STRING; }

const char *tsr_build_tag(void) { return TSR_ABI_TAG; }

#if TSR_HAVE_PLUGINS

static const char *info = INFO ", lapack where installed"; /* atomic */

void tsr__note_lapack(const char *name) {
  static char noted[sizeof INFO + 80];
  tsr__text text;
  tsr__text_init(&text, noted, sizeof noted);
  tsr__text_format(&text, "%s, lapack %s", INFO, name);
  __atomic_store_n(&info, noted, __ATOMIC_RELEASE);
}

const char *tsr_build_info(void) { return __atomic_load_n(&info, __ATOMIC_ACQUIRE); }

#else

const char *tsr_build_info(void) { return INFO; }

#endif
