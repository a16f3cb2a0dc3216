/* A subcommand is a row: what it is called, what it takes, what help says of it, and the function that does it. */
#ifndef TESSERA_COMMAND_H
#define TESSERA_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <tessera/tessera.h>

/* Exit codes. */
enum {
  DONE = 0,  /* done, and the answer is yes: files agree, a file is whole */
  NO = 1,    /* done, and the answer is no */
  FAILED = 2 /* not done: a wrong call, a file that cannot be read or written */
};

/* An option; a list of them ends with one without a name. */
typedef struct option {
  const char *name;     /* "precision": --precision */
  char letter;          /* 'p': -p; 0: none */
  const char *argument; /* what it is called in help; NULL: it takes none */
  const char *help;
} option;

/* What the command line says: options in its order, and everything that is none. */
typedef struct arguments {
  const struct command *command;
  const option **options; /* count of them, each with its value */
  const char **values;
  int option_count;
  const char **operands;
  int operand_count;
} arguments;

typedef struct command {
  const char *name;
  const char *summary;  /* one line */
  const char *usage;    /* after "tessera NAME" */
  const char *about;    /* paragraphs */
  const char *examples; /* lines: a call, then what it does, indented */
  const option *options;
  int least, most; /* operands; most -1: any number */
  bool shares;     /* the processes of an MPI job share its work; else the first one does it */
  int (*run)(tsr_ctx *ctx, const arguments *args);
} command;

/* Ends with one without a name. */
extern const command *const commands[];
const command *find_command(const char *name);

extern const command ls_command, show_command, head_command, tail_command, view_command, stats_command, hist_command,
    unique_command, sort_command, diff_command, convert_command, merge_command, quantize_command, validate_command,
    plot_command, calc_command, ops_command, cuda_command, info_command, help_command;

/* All of it: what main is called with, and its exit code. It may be called again. */
int run_tessera(int argc, char **argv);

/* The help of one command; of all of them where it is NULL. */
void print_help(const command *about);

#endif
