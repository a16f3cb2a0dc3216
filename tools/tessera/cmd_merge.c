/* tessera merge: the tensors of several files in one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "args.h"
#include "formats.h"
#include "gather.h"
#include "report.h"
#include "text.h"

typedef struct merging {
  gathered all;
  bool prefix, replace;
} merging;

/* "a/b.npz" as "b"; NULL when there is no memory. */
static char *stem_of(const char *file) {
  const char *slash = strrchr(file, '/'), *start = slash != NULL ? slash + 1 : file, *dot = strrchr(start, '.');
  return strndup(start, dot != NULL && dot > start ? (size_t)(dot - start) : strlen(start));
}

static char *name_of(const merging *m, const source *from, const target *t) {
  if (!m->prefix) return strdup(t->name);
  char *stem = stem_of(from->file), *name = NULL;
  const size_t size = stem != NULL ? strlen(stem) + strlen(t->name) + 2 : 0;
  if (stem != NULL) name = malloc(size);
  if (name != NULL) (void)snprintf(name, size, "%s.%s", stem, t->name);
  free(stem);
  return name;
}

/* Whether a later file has a tensor of that name, which is taken then. */
static bool comes_again(const merging *m, int file, const char *name) {
  for (int i = file + 1; i < m->all.count; i++)
    for (tsr_index k = 0; k < m->all.found[i].count; k++)
      if (strcmp(m->all.found[i].list[k].name, name) == 0) return true;
  return false;
}

static bool add(merging *m, int file, target *t) {
  if (m->replace && comes_again(m, file, t->name)) return true;
  char *name = name_of(m, &m->all.files[file], t);
  if (name == NULL) return report("out of memory"), false;
  const bool twice = tsr_bundle_find(&m->all.bundle, name) != NULL;
  if (twice)
    report("%s: there is a tensor '%s' already; --prefix puts the file's name before it, --replace takes the last one",
           m->all.files[file].file, name);
  const bool ok = !twice && gather_add(&m->all, t, name);
  free(name);
  return ok;
}

static bool add_all(merging *m) {
  bool ok = true;
  tsr_index tensors = 0;
  for (int i = 0; i < m->all.count; i++) tensors += m->all.found[i].count;
  for (int i = 0; i < m->all.count && ok; i++) {
    for (tsr_index k = 0; k < m->all.found[i].count && ok; k++) ok = add(m, i, &m->all.found[i].list[k]);
    if (ok) ok = gather_metadata(&m->all, &m->all.files[i], tensors == 1);
  }
  return ok;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const char *to = args_value(args, "to", NULL), *path = args_value(args, "output", NULL);
  const int format = to != NULL ? format_find(to) : TSR_FORMAT_AUTO;
  merging m = {.prefix = args_has(args, "prefix"), .replace = args_has(args, "replace")};
  if (to != NULL && format == 0) return FAILED;
  if (path == NULL) return report("--output says where it goes: tessera merge %s", args->command->usage);
  bool ok = gather_open(ctx, args->operand_count, args->operands, &m.all) && add_all(&m);
  if (ok) ok = gather_save(&m.all, path, format);
  gather_release(&m.all);
  return ok ? DONE : FAILED;
}

static const option options[] = {
    {"output", 'o', "FILE", "what is written; it may be one that is read"},
    {"to", 't', "FORMAT", "its format; else the end of its name says it"},
    {"prefix", 'p', NULL, "names become STEM.NAME, with the name of the file"},
    {"replace", 'r', NULL, "of tensors of one name the last is taken; else that is refused"},
    {0}};

const command merge_command = {
    .name = "merge",
    .summary = "puts the tensors of several files into one",
    .usage = "[OPTION]... FILE[:NAME][SLICE]... --output FILE",
    .about =
        "Files may be of any formats. Tensors are written while they are read: memory goes with the largest of an "
        ".npz.\n"
        "Metadata is taken along; of a key that several files have, the first one's value.",
    .examples =
        "  tessera merge base.npz head.safetensors -o all.safetensors\n"
        "  tessera merge --replace model.safetensors new.npz -o model.safetensors\n"
        "  tessera merge --prefix a.npy b.npy -o both.npz\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
