/* tessera ls: what is in a file. */
#include <stdio.h>
#include <string.h>

#include "args.h"
#include "folder.h"
#include "json.h"
#include "listing.h"
#include "table.h"
#include "text.h"

/* What was seen, over all files. */
typedef struct totals {
  int files;
  int64_t tensors, elements;
  uint64_t bytes;
} totals;

static int64_t elements_of(const listed *entry) {
  int64_t n = 1;
  for (int i = 0; i < entry->ndim; i++) n *= entry->shape[i];
  return n;
}

static void count(const listing *l, totals *sum) {
  sum->files++;
  sum->tensors += l->count;
  for (tsr_index i = 0; i < l->count; i++) {
    sum->elements += elements_of(&l->list[i]);
    sum->bytes += l->list[i].bytes;
  }
}

/* ---- for people ---- */

static void put_totals(const char *what, const totals *sum) {
  char tensors[32], elements[32], bytes[32];
  (void)printf("%s%s tensor%s, %s element%s, %s\n", what, text_count(sum->tensors, tensors),
               sum->tensors == 1 ? "" : "s", text_count(sum->elements, elements), sum->elements == 1 ? "" : "s",
               text_bytes(sum->bytes, bytes));
}

static void put_metadata(const listing *l, const terminal *to) {
  for (tsr_index i = 0; i < l->metadata.count; i++) {
    terminal_dim(to);
    (void)text_write(stdout, l->metadata.pairs[i].key, TEXT_NAME);
    (void)fputs(" = ", stdout);
    (void)text_write(stdout, l->metadata.pairs[i].value, TEXT_NAME);
    terminal_reset(to);
    (void)putchar('\n');
  }
}

static bool put_listing(const listing *l, bool several, bool metadata, const terminal *to) {
  table t = {0};
  totals sum = {0};
  char bytes[32], shape[TEXT_SHAPE];
  if (several) {
    (void)text_write(stdout, l->file, TEXT_NAME);
    (void)printf(" (%s)\n", tsr_format_name((tsr_format)l->format));
  }
  table_column(&t, "name", false);
  table_column(&t, "dtype", false);
  table_column(&t, "shape", false);
  table_column(&t, "bytes", true);
  table_column(&t, "layout", false);
  for (tsr_index i = 0; i < l->count; i++) {
    const listed *entry = &l->list[i];
    table_cell(&t, entry->name);
    table_cell(&t, entry->dtype);
    table_cell(&t, text_shape(entry->ndim, entry->shape, shape));
    table_cell(&t, text_bytes(entry->bytes, bytes));
    table_cell(&t, entry->layout);
  }
  const bool ok = l->count == 0 || table_write(&t, to);
  table_release(&t);
  if (ok && metadata) put_metadata(l, to);
  count(l, &sum);
  if (ok) put_totals("", &sum);
  return ok;
}

/* ---- for programs ---- */

static void put_json(json *j, const listing *l) {
  json_open(j, NULL, '{');
  json_string(j, "file", l->file);
  json_string(j, "format", tsr_format_name((tsr_format)l->format));
  json_open(j, "tensors", '[');
  for (tsr_index i = 0; i < l->count; i++) {
    const listed *entry = &l->list[i];
    json_open(j, NULL, '{');
    json_string(j, "name", entry->name);
    json_string(j, "dtype", entry->dtype);
    json_shape(j, "shape", entry->ndim, entry->shape);
    json_integer(j, "bytes", (int64_t)entry->bytes);
    json_string(j, "layout", entry->layout);
    json_close(j, '}');
  }
  json_close(j, ']');
  json_open(j, "metadata", '{');
  for (tsr_index i = 0; i < l->metadata.count; i++)
    json_string(j, l->metadata.pairs[i].key, l->metadata.pairs[i].value);
  json_close(j, '}');
  json_close(j, '}');
}

/* ---- folders: a line a file ---- */

static const char *base_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash != NULL ? slash + 1 : path;
}

static void add_file(table *t, const listing *l) {
  totals one = {0};
  char text[32];
  count(l, &one);
  table_cell(t, base_of(l->file));
  table_cell(t, tsr_format_name((tsr_format)l->format));
  table_cell(t, text_count(one.tensors, text));
  table_cell(t, text_count(one.elements, text));
  table_cell(t, text_bytes(one.bytes, text));
}

/* The rest are files of no format that is known. */
static void put_rest(size_t others) {
  char text[32];
  if (others > 0) (void)printf("%s other %s\n", text_count((int64_t)others, text), others == 1 ? "file" : "files");
}

static bool put_folder(tsr_ctx *ctx, const char *path, bool named, const terminal *to, totals *sum) {
  folder f;
  table t = {0};
  size_t others = 0;
  totals own = {0};
  if (!folder_read(path, &f)) return false;
  if (named) {
    (void)text_write(stdout, path, TEXT_NAME);
    (void)puts(":");
  }
  table_column(&t, "file", false);
  table_column(&t, "format", false);
  table_column(&t, "tensors", true);
  table_column(&t, "elements", true);
  table_column(&t, "bytes", true);
  for (size_t i = 0; i < f.count; i++) {
    listing l;
    if (!listing_try(ctx, f.paths[i], &l)) {
      others++;
      continue;
    }
    add_file(&t, &l);
    count(&l, &own);
    count(&l, sum);
    listing_release(&l);
  }
  const bool ok = t.rows == 0 || table_write(&t, to);
  table_release(&t);
  folder_release(&f);
  put_rest(others);
  if (ok) put_totals("", &own);
  return ok;
}

static bool put_folder_json(tsr_ctx *ctx, const char *path, json *j) {
  folder f;
  if (!folder_read(path, &f)) return false;
  for (size_t i = 0; i < f.count; i++) {
    listing l;
    if (!listing_try(ctx, f.paths[i], &l)) continue;
    put_json(j, &l);
    listing_release(&l);
  }
  folder_release(&f);
  return true;
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const bool as_json = args_has(args, "json"), several = args->operand_count > 1;
  terminal to;
  json j = {0};
  totals sum = {0};
  int code = DONE;
  if (!terminal_init(&to, args_value(args, "color", "auto"))) return FAILED;
  if (as_json) json_open(&j, NULL, '[');
  for (int i = 0; i < args->operand_count; i++) {
    listing l;
    if (folder_is(args->operands[i])) {
      const bool ok = as_json ? put_folder_json(ctx, args->operands[i], &j)
                              : put_folder(ctx, args->operands[i], several, &to, &sum);
      if (!ok) code = FAILED;
      if (several && !as_json) (void)putchar('\n');
      continue;
    }
    if (!listing_read(ctx, args->operands[i], as_json || args_has(args, "metadata"), &l)) {
      code = FAILED;
      continue;
    }
    if (as_json) {
      put_json(&j, &l);
    } else {
      if (!put_listing(&l, several, args_has(args, "metadata"), &to)) code = FAILED;
      if (several) (void)putchar('\n');
    }
    count(&l, &sum);
    listing_release(&l);
  }
  if (as_json) json_close(&j, ']');
  if (!as_json && several) put_totals("all files: ", &sum);
  return code;
}

static const option options[] = {{"json", 0, NULL, "as JSON: bytes exact, metadata with it"},
                                 {"metadata", 'm', NULL, "the file's metadata too"},
                                 {0}};

const command ls_command = {
    .name = "ls",
    .summary = "lists the tensors of files",
    .usage = "[OPTION]... FILE[:NAME]|FOLDER...",
    .about =
        "Prints name, dtype, shape, bytes and layout of each tensor, and totals. No tensor is read, but for tables of\n"
        "text, which have no header: a file of gigabytes is listed at once. NAME may hold * and ?; FILE: is the "
        "tensor\n"
        "whose name is empty, where there is one. Of a folder each file has a line: its format, tensors and bytes.",
    .examples =
        "  tessera ls model.safetensors\n"
        "  tessera ls 'model.safetensors:encoder.*' x.npy\n"
        "  tessera ls *.safetensors\n"
        "  tessera ls models/\n"
        "  tessera ls --json model.safetensors | jq '.[0].tensors[].name'\n",
    .options = options,
    .least = 1,
    .most = -1,
    .run = run,
};
