/* Text to machine code, by NVRTC. */
#include "core/text.h"
#include "cuda/gpu.h"

#include <string.h>

/* ---- options ---- */

/* The arithmetic of the CPU's kernels: fma only where it is written, division and square root that round, subnormal numbers. */
int tsr__cuda_options(int capability, const char *extra, char *arch, const char **options) {
  tsr__text text;
  int n = 0;
  tsr__text_init(&text, arch, 16);
  tsr__text_format(&text, "-arch=sm_%d%s", capability,
                   capability == 90 ? "a" : ""); /* a: with products of groups of warps */
  options[n++] = arch;
  options[n++] = "-fmad=false";
  options[n++] = "-prec-div=true";
  options[n++] = "-prec-sqrt=true";
  options[n++] = "-ftz=false";
  options[n++] = "-default-device";
  if (extra != NULL) options[n++] = extra;
  return n;
}

/* ---- compiling ---- */

/* The first line of what the compiler says that is an error: it names the file and the line. */
static tsr_status refuse_text(const tsr__cuda_compiler *compiler, tsr_ctx *ctx, nvrtcProgram program,
                              const char *name) {
  size_t bytes = 0;
  (void)compiler->nvrtcGetProgramLogSize(program, &bytes);
  char *const log = tsr__cuda_host_new(bytes + 1);
  const char *line = "it does not say why";
  if (log != NULL && bytes > 0 && compiler->nvrtcGetProgramLog(program, log) == NVRTC_SUCCESS) {
    line = strstr(log, "error");
    while (line != NULL && line > log && line[-1] != '\n') line--;
    if (line == NULL) line = log;
    log[(size_t)(line - log) + strcspn(line, "\n")] = 0;
  }
  const tsr_status st = TSR__FAIL(ctx, TSR_EDEVICE, name, NULL, "the kernel does not compile: %s", line);
  tsr__cuda_host_free(log, bytes + 1);
  return st;
}

static tsr_status take_image(const tsr__cuda_compiler *compiler, tsr_ctx *ctx, nvrtcProgram program, const char *name,
                             tsr__cuda_image *image) {
  size_t bytes = 0;
  if (compiler->nvrtcGetCUBINSize(program, &bytes) != NVRTC_SUCCESS || bytes == 0)
    return TSR__FAIL(ctx, TSR_EDEVICE, name, NULL, "the compiler gave no machine code");
  image->bytes = tsr__cuda_host_new(bytes);
  image->count = bytes;
  if (image->bytes == NULL) return TSR__FAIL(ctx, TSR_ENOMEM, name, NULL, "no memory for a kernel of %z bytes", bytes);
  (void)compiler->nvrtcGetCUBIN(program, image->bytes);
  return TSR_OK;
}

tsr_status tsr__cuda_compile(const tsr__cuda_compiler *compiler, tsr_ctx *ctx, int capability,
                             const tsr__cuda_source *source, tsr__cuda_image *image) {
  const char *options[TSR__CUDA_OPTIONS];
  char arch[16];
  nvrtcProgram program = NULL;
  const int n = tsr__cuda_options(capability, source->options, arch, options);
  if (compiler->nvrtcCreateProgram(&program, source->text, source->name, 0, NULL, NULL) != NVRTC_SUCCESS)
    return TSR__FAIL(ctx, TSR_ENOMEM, source->name, NULL, "the compiler does not begin");
  tsr_status st = TSR_OK;
  if (compiler->nvrtcCompileProgram(program, n, options) != NVRTC_SUCCESS)
    st = refuse_text(compiler, ctx, program, source->name);
  else
    st = take_image(compiler, ctx, program, source->name, image);
  (void)compiler->nvrtcDestroyProgram(&program);
  return st;
}
