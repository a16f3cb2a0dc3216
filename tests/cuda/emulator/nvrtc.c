#define _GNU_SOURCE
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compile.h"
#include "driver.h"

/* NVRTC's interface over compile.c. */
enum { OK, OUT_OF_MEMORY, CREATION_FAILED, INVALID_INPUT, INVALID_PROGRAM, INVALID_OPTION, COMPILATION };
typedef int nvrtcResult;
typedef struct program {
  char *text, *name, *log, *image;
  size_t bytes;
  int header_count;
  char **headers, **header_names;
} * nvrtcProgram;

EXPORT const char *nvrtcGetErrorString(nvrtcResult result) {
  static const char *const words[] = {"NVRTC_SUCCESS",
                                      "NVRTC_ERROR_OUT_OF_MEMORY",
                                      "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                      "NVRTC_ERROR_INVALID_INPUT",
                                      "NVRTC_ERROR_INVALID_PROGRAM",
                                      "NVRTC_ERROR_INVALID_OPTION",
                                      "NVRTC_ERROR_COMPILATION"};
  return result >= 0 && result <= COMPILATION ? words[result] : "NVRTC_ERROR unknown";
}

EXPORT nvrtcResult nvrtcVersion(int *major, int *minor) {
  if (major == NULL || minor == NULL) return INVALID_INPUT;
  *major = 13;
  *minor = 99;
  return OK;
}

EXPORT nvrtcResult nvrtcCreateProgram(nvrtcProgram *made, const char *text, const char *name, int header_count,
                                      const char *const *headers, const char *const *names) {
  if (made == NULL || text == NULL || header_count < 0) return INVALID_INPUT;
  nvrtcProgram p = calloc(1, sizeof *p);
  if (p == NULL) return OUT_OF_MEMORY;
  p->text = strdup(text);
  p->name = strdup(name != NULL ? name : "default_program");
  p->headers = calloc((size_t)header_count + 1, sizeof *p->headers);
  p->header_names = calloc((size_t)header_count + 1, sizeof *p->header_names);
  for (; p->header_count < header_count; p->header_count++) {
    p->headers[p->header_count] = strdup(headers[p->header_count]);
    p->header_names[p->header_count] = strdup(names[p->header_count]);
  }
  *made = p;
  return OK;
}

EXPORT nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program) {
  if (program == NULL || *program == NULL) return INVALID_PROGRAM;
  nvrtcProgram p = *program;
  for (int i = 0; i < p->header_count; i++) {
    free(p->headers[i]);
    free(p->header_names[i]);
  }
  free(p->headers);
  free(p->header_names);
  free(p->text);
  free(p->name);
  free(p->log);
  free(p->image);
  free(p);
  *program = NULL;
  return OK;
}

/* ---- options ---- */

static bool begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

/* -arch=sm_90, --gpu-architecture=compute_80; else 0. */
static int arch_of(const char *option) {
  if (!begins(option, "-arch=") && !begins(option, "--gpu-architecture=")) return 0;
  const char *p = strchr(option, '=') + 1;
  while (*p != 0 && !isdigit((unsigned char)*p)) p++;
  return atoi(p);
}

static bool is_known(const char *option) {
  static const char *const known[] = {"-fmad",
                                      "--fmad",
                                      "-prec-div",
                                      "--prec-div",
                                      "-prec-sqrt",
                                      "--prec-sqrt",
                                      "-ftz",
                                      "--ftz",
                                      "-default-device",
                                      "--device-as-default-execution-space",
                                      "-std=",
                                      "--std=",
                                      "-lineinfo",
                                      "--generate-line-info",
                                      "-w",
                                      "--disable-warnings",
                                      "-G",
                                      "-extra-device-vectorization",
                                      "--use_fast_math",
                                      "-use_fast_math",
                                      "-maxrregcount",
                                      "--maxrregcount",
                                      "-restrict",
                                      "--restrict",
                                      "-diag-suppress",
                                      "--diag-suppress",
                                      "-dopt",
                                      "-split-compile",
                                      "--split-compile",
                                      "-minimal",
                                      "--minimal",
                                      "-no-cache",
                                      "--no-cache",
                                      "-builtin-initializer-list"};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
    if (begins(option, known[i])) return true;
  return false;
}

static const char *passed_on(const char *option) {
  if (begins(option, "--define-macro=")) return NULL; /* say -D */
  return begins(option, "-D") || begins(option, "-U") || begins(option, "-I") ? option : NULL;
}

EXPORT nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char *const *options) {
  if (p == NULL) return INVALID_PROGRAM;
  compile_input in = {.text = p->text,
                      .name = p->name,
                      .header_count = p->header_count,
                      .headers = p->headers,
                      .header_names = p->header_names,
                      .arch = 75};
  const char **const passed = calloc((size_t)count + 1, sizeof *passed);
  if (passed == NULL) return OUT_OF_MEMORY;
  in.options = passed;
  free(p->log);
  free(p->image);
  p->log = p->image = NULL;
  for (int i = 0; i < count; i++) {
    if (arch_of(options[i]) > 0)
      in.arch = arch_of(options[i]);
    else if (passed_on(options[i]) != NULL)
      passed[in.option_count++] = options[i];
    else if (!is_known(options[i])) {
      free(passed);
      return asprintf(&p->log, "nvrtc: error: invalid value for option %s\n", options[i]) < 0 ? OUT_OF_MEMORY
                                                                                              : INVALID_OPTION;
    }
  }
  const int failed = compile_text(&in, &p->image, &p->bytes, &p->log);
  free(passed);
  return failed == 0 ? OK : COMPILATION;
}

/* ---- results ---- */

EXPORT nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t *bytes) {
  if (p == NULL || bytes == NULL) return INVALID_INPUT;
  *bytes = (p->log != NULL ? strlen(p->log) : 0) + 1;
  return OK;
}

EXPORT nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char *log) {
  if (p == NULL || log == NULL) return INVALID_INPUT;
  memcpy(log, p->log != NULL ? p->log : "", (p->log != NULL ? strlen(p->log) : 0) + 1);
  return OK;
}

EXPORT nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t *bytes) {
  if (p == NULL || bytes == NULL) return INVALID_INPUT;
  *bytes = p->image != NULL ? p->bytes : 0;
  return p->image != NULL ? OK : INVALID_PROGRAM;
}

EXPORT nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char *image) {
  if (p == NULL || image == NULL || p->image == NULL) return INVALID_PROGRAM;
  memcpy(image, p->image, p->bytes);
  return OK;
}

/* The driver takes one for the other. */
EXPORT nvrtcResult nvrtcGetPTXSize(nvrtcProgram p, size_t *bytes) { return nvrtcGetCUBINSize(p, bytes); }
EXPORT nvrtcResult nvrtcGetPTX(nvrtcProgram p, char *image) { return nvrtcGetCUBIN(p, image); }
