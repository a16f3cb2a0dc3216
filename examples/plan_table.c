/* A memory plan as C source, so that a microcontroller computes nothing: reads the tensors of a network and writes a table of
 * constant offsets.
 *
 *   plan_table PREFIX ALIGN <examples/mcu/digits_plan.txt >examples/mcu/data/digits_plan.h
 *
 * A line for each tensor: its name, its bytes, the step that writes it and the last one that reads it. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <tessera/plan.h>

enum { MOST = 256, NAME_BYTES = 32 };
static char names[MOST][NAME_BYTES];
static tsr_plan_item items[MOST];

/* How many tensors there are; -1 when a line is not one. */
static int read_items(void) {
  char line[128];
  int n = 0;
  for (; n < MOST && fgets(line, sizeof line, stdin) != NULL; n++) {
    unsigned long bytes = 0;
    int first = 0, last = 0;
    if (sscanf(line, "%31s %lu %d %d", names[n], &bytes, &first, &last) != 4) return -1;
    items[n] = (tsr_plan_item){.bytes = bytes, .first = first, .last = last};
  }
  return n;
}

static void print_upper(const char *text) {
  for (; *text != 0; text++) putchar(toupper((unsigned char)*text));
}

static void print_table(const char *prefix, int n, const tsr_plan_report *report) {
  printf("/* Written by plan_table: where each tensor begins in one block of %zu bytes; unshared they take %zu. */\n",
         report->planned, report->unshared);
  printf("#include <stdint.h>\n\nenum {\n");
  for (int i = 0; i < n; i++) {
    printf("  ");
    print_upper(prefix);
    printf("_PLAN_");
    print_upper(names[i]);
    printf(",\n");
  }
  printf("  ");
  print_upper(prefix);
  printf("_PLAN_COUNT,\n  ");
  print_upper(prefix);
  printf("_PLAN_BYTES = %zu\n};\n\nstatic const uint32_t %s_plan[] = {\n", report->planned, prefix);
  for (int i = 0; i < n; i++) printf("  %zu, /* %s, %zu bytes */\n", items[i].offset, names[i], items[i].bytes);
  printf("};\n");
}

int main(int argc, char **argv) {
  tsr_plan_report report;
  if (argc != 3) {
    fprintf(stderr, "usage: plan_table PREFIX ALIGN <ITEMS >TABLE.h\n");
    return 2;
  }
  const int n = read_items();
  if (n < 0) {
    fprintf(stderr, "plan_table: a line is NAME BYTES FIRST LAST\n");
    return 1;
  }
  if (tsr_plan(NULL, n, items, strtoul(argv[2], NULL, 10), &report) != TSR_OK) {
    fprintf(stderr, "plan_table: %s\n", tsr_error(NULL));
    return 1;
  }
  print_table(argv[1], n, &report);
  return 0;
}
