/* Arrow's names of dtypes. */
#include "io/arrow/types.h"

#if TSR_HAVE_STDIO

#include <string.h>

static const struct {
  char format[4];
  uint8_t dtype;
} types[] = {{"b", TSR_BOOL}, {"c", TSR_I8},  {"C", TSR_U8},  {"s", TSR_I16}, {"S", TSR_U16}, {"i", TSR_I32},
             {"I", TSR_U32},  {"l", TSR_I64}, {"L", TSR_U64}, {"e", TSR_F16}, {"f", TSR_F32}, {"g", TSR_F64}};

/* Times count in integers: "tdD" days, "tts" seconds of a day, "tsu:UTC" microseconds since 1970, "tDm" durations. */
static int dtype_of_time(const char *format) {
  static const char *const narrow[] = {"tdD", "tts", "ttm"}, *const wide[] = {"tdm", "ttu", "ttn"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(format, narrow[i]) == 0) return TSR_I32;
    if (strcmp(format, wide[i]) == 0) return TSR_I64;
  }
  const bool unit = format[1] != '\0' && format[2] != '\0' && strchr("smun", format[2]) != NULL;
  if (unit && format[1] == 's' && format[3] == ':') return TSR_I64;
  return unit && format[1] == 'D' && format[3] == '\0' ? TSR_I64 : TSR_NONE;
}

int tsr__arrow_dtype(const char *format) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (strcmp(types[i].format, format) == 0) return tsr_dtype_supported(types[i].dtype) ? types[i].dtype : TSR_NONE;
  return format[0] == 't' && tsr_dtype_supported(TSR_I64) ? dtype_of_time(format) : TSR_NONE;
}

const char *tsr__arrow_format(int dtype) {
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
    if (types[i].dtype == dtype) return types[i].format;
  return NULL;
}

#endif
