/* What the memory planner makes of real networks and of random graphs, and how long it takes. */
#include "support/networks.h"
#include <stdlib.h>
#include <tessera/tessera.h>
#include <time.h>

enum { SWEEP = 100, THOUSAND = 1000, REPEATS = 20 };

/* Of the processor, not of the wall: other programs do not count. */
static double milliseconds(void) { return (double)clock() * (1e3 / CLOCKS_PER_SEC); }

/* Plans; returns the shortest of some runs in milliseconds. */
static double plan_timed(int32_t n, tsr_plan_item *items, tsr_plan_report *report) {
  double best = -1;
  for (int i = 0; i < REPEATS; i++) {
    const double begin = milliseconds();
    const tsr_status st = tsr_plan(NULL, n, items, 0, report);
    const double ms = milliseconds() - begin;
    if (st != TSR_OK || tsr_plan_check(NULL, n, items, 0, report->planned) != TSR_OK) {
      fprintf(stderr, "%s\n", tsr_error(NULL));
      exit(1);
    }
    if (best < 0 || ms < best) best = ms;
  }
  return best;
}

static double ratio(const tsr_plan_report *report) { return (double)report->planned / (double)report->lower_bound; }

static void print_network(network *net) {
  tsr_plan_report report;
  const double ms = plan_timed(net->count, net->items, &report);
  printf("%-24s %7d %12zu %12zu %12zu %8.4f %8.3f\n", net->title, (int)net->count, report.unshared, report.planned,
         report.lower_bound, ratio(&report), ms);
}

static void print_sweep(tsr_plan_item *items) {
  double least = 1e9, most = 0, sum = 0, slowest = 0;
  int reached = 0;
  for (int g = 0; g < SWEEP; g++) {
    tsr_plan_report report;
    const int32_t n = network_sweep_graph(items, g);
    const double ms = plan_timed(n, items, &report);
    const double r = ratio(&report);
    least = r < least ? r : least;
    most = r > most ? r : most;
    sum += r;
    slowest = ms > slowest ? ms : slowest;
    reached += report.planned == report.lower_bound;
  }
  printf(
      "\n%d random graphs of 50 to 500 tensors: planned / lower bound min %.4f, mean %.4f, max %.4f; "
      "%d at the bound; slowest %.3f ms\n",
      SWEEP, least, sum / SWEEP, most, reached, slowest);
}

/* Random graphs as in the sweep, and lifetimes without any structure, which use up all the work the planner allows. */
static void print_thousand(tsr_plan_item *items) {
  tsr_plan_report report;
  network_random_graph(items, THOUSAND, 1);
  double ms = plan_timed(THOUSAND, items, &report);
  printf("1,000 tensors, a random graph: %.3f ms, ratio %.4f\n", ms, ratio(&report));
  uint64_t state = 2;
  for (int32_t i = 0; i < THOUSAND; i++) {
    const int32_t first = (int32_t)network_random(&state, THOUSAND);
    const int32_t last = first + (int32_t)network_random(&state, THOUSAND / 10);
    items[i] = (tsr_plan_item){.bytes = 1 + network_random(&state, 1 << 20), .first = first, .last = last};
  }
  ms = plan_timed(THOUSAND, items, &report);
  printf("1,000 tensors, random lifetimes: %.3f ms, ratio %.4f\n", ms, ratio(&report));
}

int main(void) {
  static network net;
  static tsr_plan_item items[THOUSAND];
  static void (*const networks[])(network *, size_t) = {network_resnet50, network_mobilenet_v2, network_encoder12,
                                                        network_encoder_decoder12};
  printf("%-24s %7s %12s %12s %12s %8s %8s\n", "network", "tensors", "unshared", "planned", "lower bound", "ratio",
         "ms");
  for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
    networks[i](&net, 1);
    print_network(&net);
  }
  print_sweep(items);
  print_thousand(items);
  return 0;
}
