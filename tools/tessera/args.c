#include "args.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "nearest.h"
#include "report.h"

const option common_options[] = {
    {"color", 0, "WHEN", "auto (on a terminal, and without NO_COLOR), always, never"},
    {"csv", 0, "WHAT=VALUE", "how text is a table: separator=; comment=# decimal=, skip=3 (man tessera has all)"},
    {"limit", 0, "WHAT=N", "what a file may take: header, tensors, inflated, pixels, total; N as 4G, or none"},
    {"help", 'h', NULL, "this text"},
    {0}};

static const option *find_in(const option *list, const char *name, size_t length, char letter) {
  for (const option *o = list; o != NULL && o->name != NULL; o++) {
    if (letter != 0 ? o->letter == letter : strlen(o->name) == length && strncmp(o->name, name, length) == 0) return o;
  }
  return NULL;
}

static const option *find_option(const command *c, const char *name, size_t length, char letter) {
  const option *found = find_in(c->options, name, length, letter);
  return found != NULL ? found : find_in(common_options, name, length, letter);
}

static bool unknown_option(const command *c, const char *text, size_t length) {
  nearest best;
  nearest_init(&best, text, length);
  for (const option *o = c->options; o != NULL && o->name != NULL; o++) nearest_offer(&best, o->name);
  for (const option *o = common_options; o->name != NULL; o++) nearest_offer(&best, o->name);
  if (best.count > 0) {
    report("there is no option --%.*s; did you mean --%s? (tessera help %s)", (int)length, text, best.names[0],
           c->name);
  } else {
    report("there is no option --%.*s (tessera help %s)", (int)length, text, c->name);
  }
  return false;
}

static void keep(arguments *out, const option *o, const char *value) {
  out->options[out->option_count] = o;
  out->values[out->option_count++] = value;
}

/* ---- one argument; *at moves on when an option takes the next one as its value ---- */

static bool read_long(const command *c, const char *text, int argc, char **argv, int *at, arguments *out) {
  const char *equals = strchr(text, '=');
  const size_t length = equals != NULL ? (size_t)(equals - text) : strlen(text);
  const option *o = find_option(c, text, length, 0);
  if (o == NULL) return unknown_option(c, text, length);
  if (o->argument == NULL && equals != NULL) return report("--%s takes no value", o->name), false;
  if (o->argument == NULL) return keep(out, o, ""), true;
  if (equals != NULL) return keep(out, o, equals + 1), true;
  if (*at + 1 >= argc) return report("--%s needs a value: %s", o->name, o->argument), false;
  keep(out, o, argv[++*at]);
  return true;
}

static bool read_short(const command *c, const char *text, int argc, char **argv, int *at, arguments *out) {
  for (; *text != '\0'; text++) {
    const option *o = find_option(c, NULL, 0, *text);
    if (o == NULL)
      return report("there is no option -%c; an operand that begins with - goes behind -- (tessera help %s)", *text,
                    c->name),
             false;
    if (o->argument == NULL) {
      keep(out, o, "");
      continue;
    }
    if (text[1] != '\0') return keep(out, o, text + 1), true;
    if (*at + 1 >= argc) return report("-%c needs a value: %s", *text, o->argument), false;
    keep(out, o, argv[++*at]);
    return true;
  }
  return true;
}

static bool check_count(const command *c, const arguments *args) {
  const int n = args->operand_count;
  if (args_has(args, "help") || (n >= c->least && (c->most < 0 || n <= c->most))) return true;
  report("%s arguments: tessera %s %s", n < c->least ? "too few" : "too many", c->name, c->usage);
  return false;
}

/* What begins with - and is no option: standard input, also with a name or a slice, and what starts as mathematics does. */
static bool is_operand(const char *text) {
  return text[0] != '-' || text[1] == '\0' || strchr(":[(.0123456789", text[1]) != NULL;
}

bool args_read(const command *c, int argc, char **argv, arguments *out) {
  bool options_end = false;
  int most = 1; /* each letter of a group may be an option */
  for (int i = 0; i < argc; i++) most += (int)strnlen(argv[i], 1 << 16);
  *out = (arguments){.command = c};
  out->options = calloc((size_t)most, sizeof *out->options);
  out->values = calloc((size_t)most, sizeof *out->values);
  out->operands = calloc((size_t)argc + 1, sizeof *out->operands);
  if (out->options == NULL || out->values == NULL || out->operands == NULL) return report("out of memory"), false;
  for (int i = 0; i < argc; i++) {
    const char *text = argv[i];
    if (options_end || is_operand(text)) {
      out->operands[out->operand_count++] = text;
    } else if (strcmp(text, "--") == 0) {
      options_end = true;
    } else if (!(text[1] == '-' ? read_long(c, text + 2, argc, argv, &i, out)
                                : read_short(c, text + 1, argc, argv, &i, out))) {
      return false;
    }
  }
  return check_count(c, out);
}

void args_release(arguments *args) {
  free(args->options);
  free(args->values);
  free(args->operands);
  *args = (arguments){0};
}

/* ---- values ---- */

const char *args_value(const arguments *args, const char *name, const char *otherwise) {
  for (int i = args->option_count - 1; i >= 0; i--)
    if (strcmp(args->options[i]->name, name) == 0) return args->values[i];
  return otherwise;
}

bool args_has(const arguments *args, const char *name) { return args_value(args, name, NULL) != NULL; }

bool args_integer(const arguments *args, const char *name, long least, long most, long otherwise, long *out) {
  const char *text = args_value(args, name, NULL);
  char *end = NULL;
  *out = otherwise;
  if (text == NULL) return true;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (errno != 0 || end == text || *end != '\0' || value < least || value > most)
    return report("--%s: '%s' is no number from %ld to %ld", name, text, least, most), false;
  *out = value;
  return true;
}

bool args_real(const arguments *args, const char *name, double otherwise, double *out) {
  const char *text = args_value(args, name, NULL);
  char *end = NULL;
  *out = otherwise;
  if (text == NULL) return true;
  const double value = strtod(text, &end);
  if (end == text || *end != '\0' || !isfinite(value)) return report("--%s: '%s' is no number", name, text), false;
  *out = value;
  return true;
}
