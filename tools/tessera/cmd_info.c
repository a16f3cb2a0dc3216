/* tessera info: what this build is, and what it can do here. */
#include <stdio.h>

#include "args.h"
#include "formats.h"
#include "json.h"

static const char *const no_yes[] = {"no", "yes"};

static void put_text(void) {
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
  (void)putchar('\n');
}

static void put_json(void) {
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
  json_close(&j, '}');
}

static int run(tsr_ctx *ctx, const arguments *args) {
  (void)ctx;
  if (args_has(args, "json")) {
    put_json();
  } else {
    put_text();
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
        "that there are (TSR_ISA chooses), how many threads work (TSR_THREADS chooses), the formats of files and the\n"
        "dtypes.",
    .examples = "  tessera info\n  TSR_THREADS=1 tessera info --json\n",
    .options = options,
    .least = 0,
    .most = 0,
    .run = run,
};
