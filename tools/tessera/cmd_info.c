/* tessera info: what this build is, and what it can do here. */
#include <stdio.h>

#include "args.h"
#include "formats.h"
#include "json.h"
#include "text.h"

static const char *const no_yes[] = {"no", "yes"};

/* ---- devices ---- */

/* Calls put for each GPU with its name and what it is; else once with a sentence that says why there is none. */
typedef void device_fn(void *user, const char *name, const tsr_device_details *details, const char *why);

static void each_gpu(tsr_ctx *ctx, device_fn *put, void *user) {
  int count = 0;
  if (tsr_device_count(ctx, "cuda", &count) != TSR_OK || count == 0) {
    const tsr_device *none;
    if (tsr_device_open(ctx, "cuda:0", &none) != TSR_OK) put(user, NULL, NULL, tsr_error(ctx));
    return;
  }
  for (int i = 0; i < count; i++) {
    char name[20];
    const tsr_device *device;
    tsr_device_details details = {.size = sizeof details};
    (void)snprintf(name, sizeof name, "cuda:%d", i);
    if (tsr_device_open(ctx, name, &device) == TSR_OK && tsr_device_info(ctx, device, &details) == TSR_OK)
      put(user, name, &details, NULL);
    else
      put(user, name, NULL, tsr_error(ctx));
  }
}

static void put_device_text(void *user, const char *name, const tsr_device_details *d, const char *why) {
  char total[32], left[32];
  (void)user;
  if (d == NULL) {
    (void)printf("              %s (%s)\n", name != NULL ? name : "no cuda", why);
    return;
  }
  (void)printf(
      "              %s, %s, %s (%s free), compute capability %d.%d, %d multiprocessors, driver for CUDA %d.%d\n", name,
      d->name, text_bytes(d->total, total), text_bytes(d->free, left), d->capability / 10, d->capability % 10,
      d->multiprocessors, d->driver / 1000, d->driver % 1000 / 10);
}

static void put_device_json(void *user, const char *name, const tsr_device_details *d, const char *why) {
  json *const j = user;
  json_open(j, NULL, '{');
  json_string(j, "name", name != NULL ? name : "cuda");
  if (d == NULL) {
    json_string(j, "missing", why);
  } else {
    json_string(j, "product", d->name);
    json_integer(j, "memory", (int64_t)d->total);
    json_integer(j, "free", (int64_t)d->free);
    json_integer(j, "capability", d->capability);
    json_integer(j, "multiprocessors", d->multiprocessors);
    json_integer(j, "driver", d->driver);
  }
  json_close(j, '}');
}

static void put_text(tsr_ctx *ctx) {
  (void)printf("tessera       %s\n", tsr_version());
  (void)printf("build         %s\n", tsr_build_info());
  (void)printf("instructions  %s (of", tsr_context_isa(NULL));
  for (int i = 0; tsr_isa_name(i) != NULL; i++) (void)printf(" %s", tsr_isa_name(i));
  (void)printf(")\nthreads       %d\n", tsr_parallel_default()->max_workers);
  (void)fputs("formats      ", stdout);
  for (int i = 1; format_at(i) != NULL; i++) (void)printf(" %s", format_at(i));
  (void)printf("\nmapped files  %s\ndtypes       ", no_yes[TSR_HAVE_MMAP]);
  for (int i = 1; i < TSR_DTYPE_COUNT; i++)
    if (tsr_dtype_supported(i)) (void)printf(" %s", tsr_dtype_name(i));
  (void)printf("\ndevices       cpu\n");
  each_gpu(ctx, put_device_text, NULL);
}

static void put_json(tsr_ctx *ctx) {
  json j = {0};
  json_open(&j, NULL, '{');
  json_string(&j, "version", tsr_version());
  json_string(&j, "build", tsr_build_info());
  json_string(&j, "isa", tsr_context_isa(NULL));
  json_open(&j, "isas", '[');
  for (int i = 0; tsr_isa_name(i) != NULL; i++) json_string(&j, NULL, tsr_isa_name(i));
  json_close(&j, ']');
  json_integer(&j, "threads", tsr_parallel_default()->max_workers);
  json_open(&j, "formats", '[');
  for (int i = 1; format_at(i) != NULL; i++) json_string(&j, NULL, format_at(i));
  json_close(&j, ']');
  json_open(&j, "dtypes", '[');
  for (int i = 1; i < TSR_DTYPE_COUNT; i++)
    if (tsr_dtype_supported(i)) json_string(&j, NULL, tsr_dtype_name(i));
  json_close(&j, ']');
  json_open(&j, "devices", '[');
  each_gpu(ctx, put_device_json, &j);
  json_close(&j, ']');
  json_close(&j, '}');
}

static int run(tsr_ctx *ctx, const arguments *args) {
  if (args_has(args, "json")) {
    put_json(ctx);
  } else {
    put_text(ctx);
  }
  return DONE;
}

static const option options[] = {{"json", 0, NULL, "as JSON"}, {0}};

const command info_command = {
    .name = "info",
    .summary = "says what this build is and can do",
    .usage = "[OPTION]...",
    .about =
        "Prints the version, the build with the libraries that it uses, the instruction set that is used and those\n"
        "that there are (TSR_ISA chooses), how many threads work (TSR_THREADS chooses), the formats of files, the\n"
        "dtypes, and the devices: GPUs, or why there are none.",
    .examples = "  tessera info\n  TSR_THREADS=1 tessera info --json\n",
    .options = options,
    .least = 0,
    .most = 0,
    .run = run,
};
