/* tessera cuda: kernels for GPUs, compiled before a program wants them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "args.h"
#include "report.h"
#include "terminal.h"
#include "typical.h"

#if TSR_HAVE_OPS

static double now(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int count_calls(const char *pattern) {
  typical_call call;
  int n = 0;
  while (typical_at(n, pattern, &call)) n++;
  return n;
}

/* Every call of the list, on the device of ctx. */
static bool make_calls(tsr_ctx *ctx, const char *pattern) {
  const int count = count_calls(pattern);
  const bool shows = terminal_on_stderr();
  typical_call call;
  tsr_status st = TSR_OK;
  if (count == 0) return report("there is no call of an op '%s' in the list", pattern), false;
  for (int i = 0; st == TSR_OK && typical_at(i, pattern, &call); i++) {
    if (shows) (void)fprintf(stderr, "\r%s: %d of %d calls ", ctx->device->name, i + 1, count);
    st = typical_make(ctx, &call);
  }
  if (shows) (void)fprintf(stderr, "\r%*s\r", 60, "");
  if (st == TSR_OK) st = tsr_device_sync(ctx, ctx->device);
  return st == TSR_OK || (report("%s %s: %s", call.op, call.dtype, tsr_error(ctx)), false);
}

static int warm(tsr_ctx *ctx, const char *name, const char *pattern) {
  const tsr_device *device;
  tsr_device_details before = {.size = sizeof before}, after = {.size = sizeof after};
  const double begun = now();
  if (tsr_device_open(ctx, name, &device) != TSR_OK || tsr_device_info(ctx, device, &before) != TSR_OK ||
      tsr_context_set_device(ctx, device) != TSR_OK)
    return report("%s", tsr_error(ctx));
  if (!make_calls(ctx, pattern)) return FAILED;
  if (tsr_device_info(ctx, device, &after) != TSR_OK) return report("%s", tsr_error(ctx));
  const size_t kernels = after.kernels - before.kernels, compiled = after.kernels_compiled - before.kernels_compiled;
  (void)printf("%s: %zu kernels, %zu compiled, %zu were there, %.1f s\n", device->name, kernels, compiled,
               kernels - compiled, now() - begun);
  (void)fflush(stdout);
  return DONE;
}

static const char *after_comma(const char *list) {
  const char *const comma = strchr(list, ',');
  return comma != NULL ? comma + 1 : NULL;
}

/* "80,90": a device of each. */
static int warm_ahead(tsr_ctx *ctx, const char *list, const char *pattern) {
  int code = DONE;
  for (const char *at = list; at != NULL; at = after_comma(at)) {
    const size_t digits = strspn(at, "0123456789");
    if (digits == 0 || digits > 4 || (at[digits] != ',' && at[digits] != '\0'))
      return report("--arch: '%s' is no list of numbers as 80,90", list);
  }
  for (const char *at = list; code == DONE && at != NULL; at = after_comma(at)) {
    char name[32];
    (void)snprintf(name, sizeof name, "cuda:sm_%.*s", (int)strcspn(at, ","), at);
    code = warm(ctx, name, pattern);
  }
  return code;
}

/* The plug-in writes where TSR_CUDA_CACHE says. */
static bool choose_folder(const char *folder) {
  const char *const chosen = getenv("TSR_CUDA_CACHE");
  if (folder == NULL && chosen != NULL && strcmp(chosen, "0") == 0)
    return report("TSR_CUDA_CACHE is 0: kernels are not kept; -o names a folder"), false;
  if (folder == NULL) return true;
  if (mkdir(folder, 0700) != 0 && errno != EEXIST) return report("%s: %s", folder, strerror(errno)), false;
  return setenv("TSR_CUDA_CACHE", folder, 1) == 0 || (report("out of memory"), false);
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const char *const list = args_value(args, "arch", NULL), *const pattern = args_value(args, "only", "*");
  if (strcmp(args->operands[0], "warm") != 0) return report("there is no cuda %s, but cuda warm", args->operands[0]);
  if (list != NULL && args_has(args, "device")) return report("--arch is without a GPU, --device is one: not both");
  if (!choose_folder(args_value(args, "output", NULL))) return FAILED;
  return list != NULL ? warm_ahead(ctx, list, pattern) : warm(ctx, args_value(args, "device", "cuda:0"), pattern);
}

#else

static int run(tsr_ctx *ctx, const arguments *args) {
  (void)ctx, (void)args;
  return report("this build has no devices (TSR_HAVE_OPS)");
}

#endif

static const option options[] = {
    {"arch", 0, "LIST", "without a GPU, for those of compute capability 8.0 and 9.0: 80,90"},
    {"device", 0, "NAME", "for this GPU: cuda:0"},
    {"only", 0, "PATTERN", "calls of ops whose names match, as 'rand_*'"},
    {"output", 'o', "FOLDER", "where to; else where programs look: TSR_CUDA_CACHE, ~/.cache/tessera"},
    {0}};

const command cuda_command = {
    .name = "cuda",
    .summary = "compiles kernels for GPUs before programs want them",
    .usage = "warm [OPTION]...",
    .about =
        "A GPU's kernel is compiled when a call first needs it, and kept in a folder: a tenth of a second each, once.\n"
        "This makes a list of typical calls, so that their kernels are there when a program starts: element by "
        "element,\n"
        "conversions, reductions, rows, products, random numbers, in the usual dtypes. It says how many kernels there\n"
        "are, how many it compiled and how many were there.\n\n"
        "With --arch no GPU is needed, only NVIDIA's compiler: what is written serves whoever has such a GPU, 80 "
        "those\n"
        "of 8.6 and 8.9 too. A folder that is called tessera_cuda_kernels, beside the plug-in libtessera_cuda.so, is "
        "read\n"
        "before all others: `make cuda-kernels` writes it.",
    .examples =
        "  tessera cuda warm\n"
        "  tessera cuda warm --device cuda:1 --only '*softmax'\n"
        "  tessera cuda warm --arch 80,90 -o /usr/local/lib/tessera_cuda_kernels\n"
        "      for a machine without a GPU, or without NVIDIA's compiler\n",
    .options = options,
    .least = 1,
    .most = 1,
    .run = run,
};
