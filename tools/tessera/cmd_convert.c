/* tessera convert: from one format to another. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "args.h"
#include "columns_of.h"
#include "csv_stream.h"
#include "formats.h"
#include "image.h"
#include "losses.h"
#include "output.h"
#include "progress.h"
#include "ranks.h"
#include "report.h"
#include "rules.h"
#include "source.h"
#include "stream.h"

/* What a tensor becomes; *out holds a count of what was made, or views what is there. */
static tsr_status change(tsr_ctx *ctx, const arguments *args, const tsr_tensor *in, tsr_tensor *out) {
  const int dtype = rules_dtype(args, in), layout = rules_layout(args, in);
  tsr_tensor cast = {0};
  tsr_status st = dtype != in->dtype ? tsr_cast(ctx, in, dtype, &cast) : tsr_view(ctx, in, &cast);
  if (st != TSR_OK) return st;
  if (dtype != in->dtype && in->layout != TSR_PLAIN) st = tsr_set_layout(ctx, &cast, in->layout, &cast);
  if (st == TSR_OK && layout != cast.layout) {
    st = tsr_to_layout(ctx, &cast, layout, 0, out);
    tsr_release(&cast);
    return st;
  }
  *out = cast;
  return st;
}

/* Elements of a packed tensor, and of a member of an archive, are there only while it is changed. */
static tsr_status change_target(tsr_ctx *ctx, const arguments *args, target *t, tsr_tensor *out) {
  tsr_status st = target_fetch(ctx, t);
  if (st == TSR_OK) st = change(ctx, args, &t->tensor, out);
  if (st != TSR_OK || (t->packed == NULL && t->archive == NULL) || t->label != NULL) return st;
  if ((out->flags & TSR_OWNS) == 0) st = tsr_clone(ctx, &t->tensor, out);
  target_drop(t);
  return st;
}

static bool is_picture(const arguments *args) {
  const char *to = args_value(args, "to", NULL);
  return output_is_image(args->operands[1], to != NULL ? format_find(to) : TSR_FORMAT_AUTO);
}

/* Floats from 0 to 1 that become a picture as they are. */
static tsr_status scale(tsr_ctx *ctx, const arguments *args, const target *t, tsr_tensor *out) {
  if (t->packed != NULL || rules_dtype(args, &t->tensor) != t->tensor.dtype || !is_picture(args)) return TSR_OK;
  const tsr_status st = image_from_floats(ctx, &t->tensor, out);
  if (st == TSR_OK && out->dtype != TSR_NONE) report("note: %s: floats from 0 to 1 are written as 0 to 255", t->name);
  return st;
}

static bool add(tsr_ctx *ctx, const arguments *args, target *t, stream *s, tsr_bundle *out) {
  tsr_tensor made = {0};
  const int dtype = rules_dtype(args, &t->tensor), layout = rules_layout(args, &t->tensor);
  uint64_t bytes = 0;
  char *name = rules_rename(args, t->name);
  if (name == NULL) return report("out of memory"), false;
  tsr_status st = scale(ctx, args, t, &made);
  const bool done = st != TSR_OK || made.dtype != TSR_NONE;
  if (!done && (s == NULL || !stream_takes(s, t, dtype, layout, &made))) {
    st = change_target(ctx, args, t, &made);
    if (st == TSR_OK && made.data != t->tensor.data) bytes = tsr_nbytes(&made);
  }
  if (st == TSR_OK) st = tsr_bundle_add(ctx, out, name, &made);
  if (st != TSR_OK) report_failure(ctx, t->name);
  tsr_release(&made);
  free(name);
  progress_add(bytes);
  return st == TSR_OK;
}

/* Bytes that are made, and bytes that are written. */
static uint64_t work_of(const arguments *args, const targets *found) {
  uint64_t bytes = 0;
  for (tsr_index i = 0; i < found->count; i++) {
    const tsr_tensor *t = &found->list[i].tensor;
    if (!rules_select(args, found->list[i].name)) continue;
    const int dtype = rules_dtype(args, t);
    const bool changed = dtype != t->dtype || rules_layout(args, t) != t->layout || found->list[i].packed != NULL;
    bytes += (uint64_t)tsr_size(t) * tsr_dtype_size(dtype) * (changed ? 2 : 1);
  }
  return bytes;
}

static bool save(tsr_ctx *ctx, const arguments *args, const source *from, stream *s, int format,
                 const tsr_bundle *out) {
  const tsr_producer producer = s != NULL ? stream_producer(s) : (tsr_producer){0};
  if (s == NULL) return ranks_rank() > 0 || output_append(ctx, args->operands[1], out);
  const output what = {.bundle = out, .metadata = &from->metadata, .producer = &producer, .reported = &s->reported};
  return output_save(ctx, args->operands[1], format, &what);
}

/* A file that grows is written anew, with what is in it first. */
typedef struct growing {
  source from;
  targets found;
} growing;

static bool add_old(tsr_ctx *ctx, const char *path, growing *old, tsr_bundle *out) {
  if (access(path, F_OK) != 0) return true;
  if (!source_open(ctx, path, &old->from, &old->found)) return false;
  if (old->from.table != NULL) return report("--append: %s has tensors of dtypes that are not written", path), false;
  for (tsr_index i = 0; i < old->found.count; i++) {
    tsr_tensor view = {0};
    tsr_status st = tsr_view(ctx, &old->found.list[i].tensor, &view);
    if (st == TSR_OK) st = tsr_bundle_add(ctx, out, old->found.list[i].name, &view);
    if (st != TSR_OK) return report_failure(ctx, old->found.list[i].name), false;
  }
  return true;
}

/* The old file's metadata goes before that of the new tensors. */
static bool add_metadata(tsr_ctx *ctx, const source *from, source *old) {
  tsr_status st = TSR_OK;
  for (tsr_index i = 0; i < from->metadata.count && st == TSR_OK; i++) {
    const tsr_metadata_pair *pair = &from->metadata.pairs[i];
    if (strncmp(pair->key, "column.", 7) != 0 && tsr_metadata_find(&old->metadata, pair->key) == NULL)
      st = tsr_metadata_set(ctx, &old->metadata, pair->key, pair->value);
  }
  return st == TSR_OK || (report_failure(ctx, NULL), false);
}

static bool convert(tsr_ctx *ctx, const arguments *args, const source *from, const targets *found, int format) {
  tsr_bundle out;
  stream s;
  growing old = {0};
  const bool append = args_has(args, "append"), anew = append && format == TSR_FORMAT_SAFETENSORS;
  if (tsr_bundle_init(ctx, &out) != TSR_OK) return report_failure(ctx, NULL), false;
  bool ok = rules_meet(args, found) && losses_accepted(ctx, args, found, is_picture(args));
  if (ok && anew) ok = add_old(ctx, args->operands[1], &old, &out);
  if (!stream_init(ctx, &out, out.count + found->count, &s)) return false;
  stream *const use = append && !anew ? NULL : &s; /* an archive that grows takes tensors as they are */
  progress_start(work_of(args, found));
  for (tsr_index i = 0; i < found->count && ok; i++)
    if (rules_select(args, found->list[i].name)) ok = add(ctx, args, &found->list[i], use, &out);
  if (ok && anew) ok = add_metadata(ctx, from, &old.from);
  if (ranks_all(ctx, ok)) ok = save(ctx, args, anew ? &old.from : from, use, format, &out);
  progress_end();
  stream_release(&s);
  tsr_bundle_release(&out);
  targets_release(&old.found);
  source_release(&old.from);
  return ok;
}

/* A table with words, dates or times keeps them, and its dtypes. */
static bool convert_table(tsr_ctx *ctx, const arguments *args, const source *from, targets *found, int format) {
  static const char *const others[] = {"dtype", "layout", "rename", "append"};
  tsr_table table;
  targets some = {.list = found->list};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (args_has(args, others[i]))
      return report("--%s: %s has columns of text, dates or times, and is written as it is; FILE:COLUMN is one tensor",
                    others[i], source_shown(from->file)),
             false;
  if (!rules_meet(args, found)) return false;
  for (tsr_index i = 0; i < found->count; i++) { /* what is not selected goes to the end */
    const target t = found->list[i];
    if (!rules_select(args, t.name)) continue;
    found->list[i] = found->list[some.count];
    found->list[some.count++] = t;
  }
  const bool ok = columns_of(ctx, from, &some, NULL, &table) && columns_save(ctx, args->operands[1], format, &table);
  tsr_table_release(&table);
  return ok;
}

/* One column of numbers is a tensor like others; so is any where the format holds one alone. */
static bool is_table(const arguments *args, const source *from, const targets *found) {
  if (from->rows.values.count == 0 || found->count == 0 || found->list[0].tensor.ndim != 1) return false;
  const tsr_column *what = target_column(from, &found->list[0]);
  return found->count > 1 || (!args_has(args, "dtype") && what != NULL && what->kind > TSR_COLUMN_BOOL);
}

static int run(tsr_ctx *ctx, const arguments *args) {
  const char *to = args_value(args, "to", NULL);
  int format = to != NULL ? format_find(to) : TSR_FORMAT_AUTO;
  source from;
  targets found;
  if ((to != NULL && format == 0) || !rules_check(args)) return FAILED;
  if (args_has(args, "append") && format != TSR_FORMAT_AUTO && format != TSR_FORMAT_NPZ &&
      format != TSR_FORMAT_SAFETENSORS)
    return report("--append: only .npz and safetensors files grow");
  if (args_has(args, "append") && !output_can_grow(ctx, args->operands[1], &format)) return FAILED;
  if (csv_stream_takes(ctx, args, format)) return csv_stream_convert(ctx, args, format) ? DONE : FAILED;
  const bool opened = source_open(ctx, args->operands[0], &from, &found);
  if (!ranks_all(ctx, opened)) {
    if (opened) targets_release(&found), source_release(&from);
    return FAILED;
  }
  const bool ok = is_table(args, &from, &found) ? convert_table(ctx, args, &from, &found, format)
                                                : convert(ctx, args, &from, &found, format);
  targets_release(&found);
  source_release(&from);
  return ok ? DONE : FAILED;
}

static const option options[] = {{"to", 't', "FORMAT", "the format; else the end of OUT's name says it"},
                                 {"dtype", 'd', "DTYPE", "floats become DTYPE; FROM=TO: tensors of dtype FROM"},
                                 {"layout", 'l', "LAYOUT", "tensors of its rank: NHWC, NCHW, OHWI and others"},
                                 {"select", 's', "PATTERN", "tensors whose names match, with * and ?; may be repeated"},
                                 {"rename", 'r', "OLD=NEW", "new names, with one * in each; may be repeated"},
                                 {"lossy", 0, NULL, "also where numbers are lost; what is lost is said all the same"},
                                 {"append", 'a', NULL, "adds to OUT, .npz or safetensors, whose tensors stay"},
                                 {0}};

const command convert_command = {
    .name = "convert",
    .summary = "converts files from one format, dtype or layout to another",
    .usage = "[OPTION]... IN[:NAME][SLICE] OUT",
    .about =
        "OUT is written beside its place first and then put there: when something fails, an old OUT stays whole.\n"
        "IN may be OUT. Tensors of mapped files are changed block by block while they are written; members of an "
        ".npz,\n"
        "and tensors that get another layout, are in memory one at a time, and become row-major. So memory goes with\n"
        "the largest tensor, not with the file; all tensors are in memory with --append to an .npz, in blocked "
        "layouts, and "
        "where\n"
        "OUT is a .h. An integer DTYPE is for all tensors, a float one for those of floats. Where a DTYPE would "
        "change\n"
        "numbers (a fraction as an integer, a number that does not fit, NaN as an integer, an integer that a float "
        "has\n"
        "not), nothing is written, unless --lossy is given; fewer digits of a float are no loss. Pictures are written\n"
        "from u8 and u16, and from floats that are all from 0 to 1, as 0 to 255. Quantised tensors of GGUF files "
        "become\n"
        "f32, or DTYPE. - as OUT is standard output, and needs --to.",
    .examples =
        "  tessera convert --dtype bf16 model.safetensors model-bf16.safetensors\n"
        "  tessera convert 'model.safetensors:encoder.w[0]' w.npy\n"
        "  tessera convert --select 'encoder.*' --rename 'encoder.*=*' model.safetensors part.safetensors\n"
        "  tessera convert --dtype f16 model.gguf model.safetensors\n"
        "  tessera convert raw:i16be@44:-1x2:sound.au sound.npy\n"
        "  tessera convert --append more.npy all.npz\n"
        "  tessera convert --append head.npz model.safetensors\n"
        "  tessera convert --dtype i64=i32 --to npy - - < ids.npy > ids32.npy\n",
    .options = options,
    .least = 2,
    .most = 2,
    .shares = true,
    .run = run,
};
