/* tessera help: what there is, and how it is called. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "report.h"

static void put_option(const option *o) {
  char form[64];
  const char *argument = o->argument != NULL ? o->argument : "";
  (void)snprintf(form, sizeof form, "--%s%s%s", o->name, o->argument != NULL ? " " : "", argument);
  if (o->letter != 0) {
    (void)printf("  -%c, %-20s %s\n", o->letter, form, o->help);
  } else {
    (void)printf("      %-20s %s\n", form, o->help);
  }
}

static void put_options(const option *list) {
  for (const option *o = list; o != NULL && o->name != NULL; o++) put_option(o);
}

static void put_commands(void) {
  (void)puts("Usage: tessera COMMAND [OPTION]... [ARGUMENT]...\n\nTensor files from the shell.\n\nCommands:");
  for (int i = 0; commands[i] != NULL; i++) (void)printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
  (void)puts(
      "\nTensors are named FILE, FILE:NAME, FILE[SLICE] or FILE:NAME[SLICE], with slices as in Python:\n"
      "  weights.safetensors:encoder.w[0, :, ::2]\n"
      "FILE may be -, standard input, or a shell's <(COMMAND). What a file is, its content says, not its name.\n"
      "Of a file of elements alone, the name says it: raw:DTYPE[@OFFSET][:SHAPE]:FILE, as raw:f32:3x4:FILE or\n"
      "raw:i16be@44:-1x2:FILE.\n\n"
      "A file that would take more than its size bears out is refused; --limit inflated=4G,pixels=1G allows more, and\n"
      "--limit none all. N may end in k, M, G or T, of 1000.\n\n"
      "Exit codes: 0 done, 1 the answer is no (files differ, a file is broken), 2 it could not be done.\n\n"
      "tessera help COMMAND says more; tessera --version says which one this is.");
}

void print_help(const command *c) {
  if (c == NULL) {
    put_commands();
    return;
  }
  (void)printf("Usage: tessera %s %s\n\n%s\n\n%s\n\nOptions:\n", c->name, c->usage, c->summary, c->about);
  put_options(c->options);
  put_options(common_options);
  (void)printf("\nExamples:\n%s", c->examples);
}

static int run(tsr_ctx *ctx, const arguments *args) {
  (void)ctx;
  if (args->operand_count == 0) {
    print_help(NULL);
    return DONE;
  }
  const command *c = find_command(args->operands[0]);
  if (c == NULL) return FAILED;
  print_help(c);
  return DONE;
}

const command help_command = {
    .name = "help",
    .summary = "says what there is, and how it is called",
    .usage = "[COMMAND]",
    .about = "Without a command: the list of all commands.",
    .examples = "  tessera help convert\n",
    .least = 0,
    .most = 1,
    .run = run,
};
