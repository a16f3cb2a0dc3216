/* The dtypes of the format, and the keys that Tessera keeps for itself. */
#include "io/safetensors/safetensors.h"

#include <string.h>

/* Those that no tensor has. */
static const tsr__st_type foreign[] = {
    {"F4", 4, TSR_NONE},      {"F6_E2M3", 6, TSR_NONE},     {"F6_E3M2", 6, TSR_NONE},
    {"F8_E8M0", 8, TSR_NONE}, {"F8_E4M3FNUZ", 8, TSR_NONE}, {"F8_E5M2FNUZ", 8, TSR_NONE},
};

bool tsr__st_type_find(const char *name, tsr__st_type *type) {
  for (int dtype = 1; dtype < TSR_DTYPE_COUNT; dtype++) {
    const tsr_dtype_info *info = tsr_dtype_describe(dtype);
    if (strcmp(info->safetensors, name) != 0) continue;
    *type = (tsr__st_type){.name = info->safetensors, .bits = (uint8_t)(8 * info->bytes), .dtype = (uint8_t)dtype};
    return true;
  }
  for (size_t i = 0; i < sizeof foreign / sizeof foreign[0]; i++) {
    if (strcmp(foreign[i].name, name) != 0) continue;
    *type = foreign[i];
    return true;
  }
  return false;
}

bool tsr__st_is_reserved(const char *key) {
  return strncmp(key, TSR__ST_LAYOUT_KEY, sizeof TSR__ST_LAYOUT_KEY - 1) == 0 ||
         strncmp(key, TSR__ST_ORDER_KEY, sizeof TSR__ST_ORDER_KEY - 1) == 0;
}
