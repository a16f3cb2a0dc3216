/* tessera validate: whether files are whole. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "looks.h"
#include "report.h"
#include "source.h"
#include "spool.h"
#include "terminal.h"
#include "text.h"

/* Whether the status says something of the file, not of the machine. */
static bool is_verdict(tsr_status st) { return st != TSR_EIO && st != TSR_ENOMEM && st != TSR_ELIMIT; }

static void put_whole(const char *file, const source *s) {
  uint64_t bytes = 0;
  char text[32];
  for (tsr_index i = 0; i < s->bundle.count; i++) bytes += tsr_nbytes(&s->bundle.tensors[i]);
  (void)text_write(stdout, file, TEXT_NAME);
  (void)printf(": whole: %s, %lld %s, %s\n", tsr_format_name((tsr_format)s->format), (long long)s->bundle.count,
               s->bundle.count == 1 ? "tensor" : "tensors", text_bytes(bytes, text));
}

static void put_broken(const tsr_ctx *ctx, tsr_status st, const char *file, const char *path) {
  const char *text = failure_text(ctx), *what = st == TSR_EUNSUPPORTED ? looks_like(path) : NULL;
  const size_t length = strlen(path);
  if (strncmp(text, path, length) == 0 && text[length] == ':') text += length + 2;
  (void)text_write(stdout, file, TEXT_NAME);
  (void)fputs(": ", stdout);
  (void)text_write(stdout, text, TEXT_LINE);
  if (what != NULL) (void)printf("; this looks like %s", what);
  (void)putchar('\n');
}

static int check(tsr_ctx *ctx, const char *file, const char *path, const raw_form *raw, bool quiet) {
  source s = {0};
  const tsr_status st = source_load(ctx, path, raw, &s);
  int code = DONE;
  if (st == TSR_OK) {
    if (!quiet) put_whole(file, &s);
  } else if (is_verdict(st)) {
    put_broken(ctx, st, file, path);
    code = NO;
  } else {
    code = report_failure(ctx, NULL);
  }
  source_release(&s);
  return code;
}

static int check_operand(tsr_ctx *ctx, const char *file, bool quiet) {
  char path[SPOOL_PATH];
  raw_form raw;
  if (!raw_form_read(&file, &raw)) return FAILED;
  if (!source_is_open_pipe(file)) return source_is_plain(file, true) ? check(ctx, file, file, &raw, quiet) : FAILED;
  if (!spool_pipe(file, path)) return FAILED;
  const int code = check(ctx, source_shown(file), path, &raw, quiet);
  spool_remove(path);
  return code;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  terminal to;
  int worst = DONE;
  if (!terminal_init(&to, args_value(args, "color", "auto"))) return FAILED;
  for (int i = 0; i < args->operand_count; i++) {
    const int code = check_operand(ctx, args->operands[i], args_has(args, "quiet"));
    worst = code > worst ? code : worst;
  }
  return worst;
}

static const option options[] = {{"quiet", 'q', NULL, "says nothing of files that are whole"}, {0}};

const command validate_command = {
    .name = "validate",
    .summary = "says whether files are whole",
    .usage = "[OPTION]... FILE...",
    .about =
        "Checks every rule of a file's format. Exit code 0: all are whole; 1: one is not, and the first rule that\n"
        "it breaks is printed with its byte; 2: one could not be read.",
    .examples =
        "  tessera validate model.safetensors x.npy\n"
        "  tessera validate --quiet *.safetensors && echo all whole\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
