/* tessera: tensor files from the shell. What its arguments ask for; start.c has main. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "limit.h"
#include "nearest.h"
#include "ranks.h"
#include "report.h"
#include "rows.h"
#include "spool.h"

const command *const commands[] = {
    &ls_command,       &view_command,     &show_command, &head_command, &tail_command,    &stats_command,
    &hist_command,     &unique_command,   &sort_command, &diff_command, &convert_command, &merge_command,
    &quantize_command, &validate_command, &plot_command, &calc_command, &ops_command,     &cuda_command,
    &info_command,     &help_command,     NULL};

const command *find_command(const char *name) {
  for (int i = 0; commands[i] != NULL; i++)
    if (strcmp(commands[i]->name, name) == 0) return commands[i];
  nearest best;
  nearest_init(&best, name, strlen(name));
  for (int i = 0; commands[i] != NULL; i++) nearest_offer(&best, commands[i]->name);
  if (best.count > 0) {
    report("there is no command '%s'; did you mean '%s'? (tessera help)", name, best.names[0]);
  } else {
    report("there is no command '%s' (tessera help)", name);
  }
  return NULL;
}

static int run(const command *c, int argc, char **argv) {
  tsr_ctx ctx;
  arguments args;
  tsr_io_limits limits;
  int code = FAILED;
  report_command(c->name);
  if (args_read(c, argc, argv, &args)) {
    if (args_has(&args, "help")) {
      print_help(c);
      code = DONE;
    } else if (limits_read(&args, &limits) && rows_options_read(&args) && tsr_context_init(&ctx, NULL) == TSR_OK &&
               tsr_context_set_io_limits(&ctx, &limits) == TSR_OK) {
      if (c->shares) ranks_start(&ctx);
      code = c->run(&ctx, &args);
      ranks_end();
    }
  }
  args_release(&args);
  return code;
}

/* What was printed may still fail to arrive: a full disk. */
static int finish(int code) {
  if (fflush(stdout) == 0 && !ferror(stdout)) return code;
  return report_unwritten(stdout, "standard output");
}

int run_tessera(int argc, char **argv) {
  report_start();
  spool_start();
  const bool is_first = ranks_place() == 0; /* of the processes of an MPI job: the others print nothing */
  if (!is_first) report_mute();
  if (!is_first && freopen("/dev/null", "w", stdout) == NULL) return FAILED;
  const char *name = argc > 1 ? argv[1] : "--help";
  if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
    (void)printf("tessera %s\n", tsr_version());
    return finish(DONE);
  }
  if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0) {
    print_help(NULL);
    return finish(argc > 1 ? DONE : FAILED);
  }
  const command *c = find_command(name);
  if (c != NULL && !c->shares && !is_first) return DONE; /* for one process */
  return c == NULL ? FAILED : finish(run(c, argc - 2, argv + 2));
}
