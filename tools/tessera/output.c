#include "output.h"

#include <string.h>
#include <unistd.h>

#include "report.h"
#include "spool.h"

static bool is_about(const tsr_ctx *ctx, const char *name) {
  const char *arg = tsr_error_details(ctx)->arg;
  return arg != NULL && strcmp(arg, name) == 0;
}

/* Whether a status is the library's refusal of one argument. */
static bool refuses(const tsr_ctx *ctx, tsr_status st, const char *name) {
  return st == TSR_EUNSUPPORTED && is_about(ctx, name);
}

static bool explain(const tsr_ctx *ctx, tsr_status st, const char *path) {
  if (refuses(ctx, st, "path")) {
    report("%s: the end of this name is no format: say one with --to (tessera info lists them)", path);
  } else if (refuses(ctx, st, "bundle")) {
    report("%s: the %s; take one, as FILE:NAME or with --select", path, failure_text(ctx));
  } else if (st == TSR_EDTYPE && is_about(ctx, "image")) {
    report(
        "%s: %s, and floats that are all from 0 to 1; --dtype u8 converts whole numbers from 0 to 255, tessera plot "
        "draws any",
        path, failure_text(ctx));
  } else {
    report_failure(ctx, NULL);
  }
  return false;
}

static tsr_status save_once(tsr_ctx *ctx, const char *path, int format, const output *what,
                            const tsr_metadata *metadata) {
  if (what->producer == NULL) return tsr_bundle_save(ctx, path, (tsr_format)format, what->bundle, metadata);
  return tsr_bundle_save_from(ctx, path, (tsr_format)format, what->bundle, metadata, what->producer);
}

static bool save(tsr_ctx *ctx, const char *path, int format, const output *what) {
  tsr_status st = save_once(ctx, path, format, what, what->metadata);
  const bool without = refuses(ctx, st, "metadata");
  if (without) st = save_once(ctx, path, format, what, NULL);
  if (st != TSR_OK && what->reported != NULL && *what->reported) return false;
  if (st != TSR_OK) return explain(ctx, st, path);
  if (without) report("note: the metadata is left out: this format has no room for it");
  return true;
}

bool output_save(tsr_ctx *ctx, const char *path, int format, const output *what) {
  char spooled[SPOOL_PATH];
  if (strcmp(path, "-") != 0) return save(ctx, path, format, what);
  if (format == TSR_FORMAT_AUTO) return report("for standard output, say which format: --to FORMAT"), false;
  if (isatty(STDOUT_FILENO) == 1) return report("standard output is a terminal: send it to a file or a pipe"), false;
  if (!spool_new("stdout", spooled)) return false;
  const bool ok = save(ctx, spooled, format, what) && spool_to_stdout(spooled);
  spool_remove(spooled);
  return ok;
}

bool output_is_image(const char *path, int format) {
  static const char *const ends[] = {".png", ".pgm", ".ppm", ".jpg", ".jpeg"};
  const size_t length = strlen(path);
  for (size_t i = 0; i < sizeof ends / sizeof *ends && format == TSR_FORMAT_AUTO; i++)
    if (length > strlen(ends[i]) && strcmp(path + length - strlen(ends[i]), ends[i]) == 0) return true;
  return format == TSR_FORMAT_PNG || format == TSR_FORMAT_JPEG || format == TSR_FORMAT_PGM || format == TSR_FORMAT_PPM;
}

static bool ends_in(const char *path, const char *end) {
  const size_t length = strlen(path), most = strlen(end);
  return length >= most && strcmp(path + length - most, end) == 0;
}

bool output_can_grow(tsr_ctx *ctx, const char *path, int *format) {
  *format = ends_in(path, ".safetensors") ? TSR_FORMAT_SAFETENSORS : TSR_FORMAT_NPZ;
  if (strcmp(path, "-") == 0) return report("--append needs a file"), false;
  if (access(path, F_OK) != 0) {
    if (ends_in(path, ".npz") || *format == TSR_FORMAT_SAFETENSORS) return true;
    return report("--append: %s would be an .npz or .safetensors: call it so", path), false;
  }
  if (tsr_format_detect(ctx, path, format) == TSR_OK && *format != TSR_FORMAT_NPZ && *format != TSR_FORMAT_SAFETENSORS)
    return report("--append: only .npz and safetensors files grow, and %s is %s", path,
                  tsr_format_name((tsr_format)*format)),
           false;
  tsr_error_clear(ctx); /* what is neither, the library reports */
  return true;
}

bool output_append(tsr_ctx *ctx, const char *path, const tsr_bundle *bundle) {
  if (tsr_npz_append(ctx, path, bundle, NULL) == TSR_OK) return true;
  report_failure(ctx, NULL);
  return false;
}
