#include <tessera/status.h>

const char *tsr_status_name(tsr_status status) {
  switch (status) {
#define X(name, number, text) \
  case number: return "TSR_" #name;
    TSR_STATUS_LIST(X)
#undef X
    default: return "unknown status";
  }
}

const char *tsr_status_text(tsr_status status) {
  switch (status) {
#define X(name, number, text) \
  case number: return text;
    TSR_STATUS_LIST(X)
#undef X
    default: return "unknown status";
  }
}
