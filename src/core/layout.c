#include <string.h>
#include <tessera/layout.h>

static const struct {
  const char *axes;
  const char *name;
} layouts[TSR_LAYOUT_COUNT] = {
#define X(id, number, axes, block, name) [number] = {axes, name},
    TSR_LAYOUT_LIST(X)
#undef X
};

static int is_layout(int layout) { return layout >= 0 && layout < TSR_LAYOUT_COUNT; }

const char *tsr_layout_name(int layout) { return is_layout(layout) ? layouts[layout].name : "none"; }

int tsr_layout_find(const char *name) {
  if (name == NULL) return -1;
  for (int layout = 0; layout < TSR_LAYOUT_COUNT; layout++)
    if (strcmp(layouts[layout].name, name) == 0) return layout;
  return -1;
}

int tsr_layout_rank(int layout) { return is_layout(layout) ? (int)strlen(layouts[layout].axes) : -1; }

int tsr_layout_axis(int layout, char letter) {
  if (!is_layout(layout) || letter == '\0') return -1;
  const char *const at = strchr(layouts[layout].axes, letter);
  return at != NULL ? (int)(at - layouts[layout].axes) : -1;
}
