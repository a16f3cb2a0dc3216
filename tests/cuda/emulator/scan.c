#define _GNU_SOURCE
#include "scan.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

enum { KERNELS = 64, NAME = 128, BOUND = 256 };

typedef struct found_kernel {
  char name[NAME], bound[BOUND];
} found_kernel;

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* A token: a word, a text in quotes, or one character. Line marks are passed over. */
static const char *next_token(const char *p, const char **token, size_t *length) {
  while (*p != 0 && (isspace((unsigned char)*p) || *p == '#')) {
    if (*p == '#') p += strcspn(p, "\n");
    if (*p != 0) p++;
  }
  *token = p;
  if (is_word(*p)) {
    while (is_word(*p)) p++;
  } else if (*p == '"' || *p == '\'') {
    const char quote = *p++;
    while (*p != 0 && *p != quote) p += *p == '\\' && p[1] != 0 ? 2 : 1;
    if (*p != 0) p++;
  } else if (*p != 0) {
    p++;
  }
  *length = (size_t)(p - *token);
  return p;
}

static bool is(const char *token, size_t length, const char *word) {
  return strlen(word) == length && memcmp(token, word, length) == 0;
}

/* Behind an opening bracket: to behind the closing one. first: where the first argument ends. */
static const char *pass_brackets(const char *p, const char **first) {
  int depth = 1;
  *first = NULL;
  while (*p != 0 && depth > 0) {
    const char *token;
    size_t length;
    p = next_token(p, &token, &length);
    if (length == 0) break;
    if (strchr("([{", *token) != NULL) depth++;
    if (strchr(")]}", *token) != NULL) depth--;
    if (*first == NULL && (depth == 0 || (depth == 1 && *token == ','))) *first = token;
  }
  return p;
}

static void keep(char *to, size_t size, const char *from, size_t length) {
  const size_t n = length < size - 1 ? length : size - 1;
  memcpy(to, from, n);
  to[n] = 0;
}

/* Behind __global__: its name is the word before the brackets of its parameters; a body follows, or it is only declared. */
static const char *scan_kernel(const char *p, found_kernel *k, bool *defined) {
  const char *token, *end;
  size_t length;
  *k = (found_kernel){"", "0"};
  *defined = false;
  for (;;) {
    p = next_token(p, &token, &length);
    if (length == 0 || *token == ';' || *token == '{') return p;
    if (*token == '(') break;
    const bool bounds = is(token, length, "__launch_bounds__"), attribute = is(token, length, "__attribute__");
    if (!bounds && !attribute) {
      if (is_word(*token)) keep(k->name, sizeof k->name, token, length);
      continue;
    }
    p = next_token(p, &token, &length); /* ( */
    const char *const begin = p;
    p = pass_brackets(p, &end);
    if (bounds && end != NULL) keep(k->bound, sizeof k->bound, begin, (size_t)(end - begin));
  }
  p = pass_brackets(p, &end);
  (void)next_token(p, &token, &length);
  *defined = length > 0 && *token == '{';
  return p;
}

/* Behind extern __shared__: the word before []. */
static const char *scan_shared(const char *p, char *name) {
  const char *token, *end;
  size_t length;
  name[0] = 0;
  for (;;) {
    p = next_token(p, &token, &length);
    if (length == 0 || *token == ';' || *token == '[') return p;
    if (*token == '(')
      p = pass_brackets(p, &end);
    else if (is_word(*token))
      keep(name, NAME, token, length);
  }
}

static void write_kernels(FILE *out, const found_kernel *kernels, int count) {
  for (int i = 0; i < count; i++)
    (void)fprintf(out, "EMU_PLAIN static void emu_start_%d(void **a) { emu_start(%s, a); }\n", i, kernels[i].name);
  (void)fprintf(out, "static const struct emulated_kernel emu_kernels[] = {\n");
  for (int i = 0; i < count; i++)
    (void)fprintf(out, "  emu_kernel(\"%s\", emu_start_%d, %s, (int)(%s)),\n", kernels[i].name, i, kernels[i].name,
                  kernels[i].bound);
  (void)fprintf(
      out,
      "  {nullptr, nullptr, 0, nullptr, nullptr, 0}};\n"
      "extern \"C\" __attribute__((visibility(\"default\"))) const struct emulated_module emulated_module = {\n"
      "  EMULATED_VERSION, %d, emu_kernels, emu_indices_memory, &emu_hooks_written, emu_find_dynamic, "
      "emu_find_anchor};\n",
      count);
}

void scan_text(const char *text, FILE *out) {
  static const char alias[] =
      "asm(\".globl %s\\n.hidden %s\\n.type %s,%%tls_object\\n.set %s,emu_dynamic_shared\\n\");\n";
  found_kernel kernels[KERNELS];
  char shared[KERNELS][NAME];
  int kernel_count = 0, shared_count = 0;
  bool was_extern = false;
  const char *token;
  size_t length;
  for (const char *p = next_token(text, &token, &length); length > 0; p = next_token(p, &token, &length)) {
    const bool is_shared = is(token, length, "__shared__");
    if (is(token, length, "__global__") && kernel_count < KERNELS) {
      bool defined;
      p = scan_kernel(p, &kernels[kernel_count], &defined);
      if (defined) kernel_count++;
    } else if (is_shared && was_extern && shared_count < KERNELS) {
      p = scan_shared(p, shared[shared_count]);
      bool known = false;
      for (int i = 0; i < shared_count; i++) known |= strcmp(shared[i], shared[shared_count]) == 0;
      if (!known) shared_count++;
    }
    was_extern = is(token, length, "extern");
  }
  if (shared_count > 0) (void)fprintf(out, "#define EMU_DYNAMIC 1\n");
  (void)fprintf(out, "#include \"epilogue.hpp\"\n");
  for (int i = 0; i < shared_count; i++) (void)fprintf(out, alias, shared[i], shared[i], shared[i], shared[i]);
  write_kernels(out, kernels, kernel_count);
}
