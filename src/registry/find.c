/* Finding ops and their parameters. */
#include "core/device.h"
#include "core/fail.h"
#include "core/suggest.h"
#include "registry/table.h"

#include <string.h>

#if TSR_HAVE_OPS

int tsr_op_count(void) { return tsr__op_table_count; }

const tsr_op *tsr_op_at(int i) { return i >= 0 && i < tsr__op_table_count ? &tsr__op_table[i] : NULL; }

/* ---- by name: a hash table of the rows, filled by the first call ---- */

/* The numbers of rows plus 1, by the hash of their names. Several threads may fill it at once: all put the same numbers into
 * the same slots in the same order. */
enum { SLOTS = 1024 };
static uint16_t slots[SLOTS];
static int filled;

static uint32_t hash_of(const char *name) {
  uint32_t hash = 2166136261u;
  for (; *name != '\0'; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
  return hash ^ hash >> 15;
}

static void fill_slots(void) {
  for (int i = 0; i < tsr__op_table_count; i++) {
    const int number = i + 1;
    uint32_t at = hash_of(tsr__op_table[i].name) % SLOTS;
    for (int there; (there = __atomic_load_n(&slots[at], __ATOMIC_RELAXED)) != 0 && there != number;)
      at = (at + 1) % SLOTS;
    __atomic_store_n(&slots[at], (uint16_t)number, __ATOMIC_RELAXED);
  }
  __atomic_store_n(&filled, tsr__op_table_count < SLOTS, __ATOMIC_RELEASE);
}

const tsr_op *tsr_op_find(const char *name) {
  if (name == NULL) return NULL;
  if (__atomic_load_n(&filled, __ATOMIC_ACQUIRE) == 0) fill_slots();
  for (uint32_t at = hash_of(name) % SLOTS;; at = (at + 1) % SLOTS) {
    const int number = __atomic_load_n(&slots[at], __ATOMIC_RELAXED);
    if (number == 0) return NULL;
    if (strcmp(tsr__op_table[number - 1].name, name) == 0) return &tsr__op_table[number - 1];
  }
}

tsr_status tsr_op_get(tsr_ctx *ctx, const char *name, const tsr_op **op) {
  if (name == NULL) return TSR__FAIL(ctx, TSR_EARG, "op_get", "name", "is NULL");
  if (op == NULL) return TSR__FAIL(ctx, TSR_EARG, "op_get", "op", "is NULL");
  const tsr_op *const found = tsr_op_find(name);
  if (found != NULL) {
    *op = found;
    return TSR_OK;
  }
  tsr__suggestion suggestion;
  tsr__suggest_init(&suggestion, name);
  for (int i = 0; i < tsr__op_table_count; i++) tsr__suggest_offer(&suggestion, tsr__op_table[i].name);
  if (suggestion.found == NULL) return TSR__FAIL(ctx, TSR_ENAME, "op_get", NULL, "there is no op '%s'", name);
  return TSR__FAIL(ctx, TSR_ENAME, "op_get", NULL, "there is no op '%s'; did you mean '%s'?", name, suggestion.found);
}

const char *tsr_op_brief(const tsr_op *op) { return op != NULL ? tsr__op_brief(op) : ""; }

const tsr_op_param *tsr_op_param_at(const tsr_op *op, int role, int i) {
  if (op == NULL || i < 0) return NULL;
  const tsr__op_kind_row *const kind = &tsr__op_kinds[op->kind];
  for (int k = 0; k < kind->count; k++)
    if ((role < 0 || kind->params[k].role == role) && i-- == 0) return &kind->params[k];
  return NULL;
}

const tsr_op_param *tsr_op_attribute(const tsr_op *op, const char *name) {
  const tsr_op_param *param;
  for (int i = 0; name != NULL && (param = tsr_op_param_at(op, TSR_OP_ATTRIBUTE, i)) != NULL; i++)
    if (strcmp(param->name, name) == 0) return param;
  return NULL;
}

const char *tsr_op_word(const tsr_op_param *param, int i) {
  if (param == NULL || param->type != TSR_OP_WORD || i < 0) return NULL;
  const char *word = tsr__op_words[param->takes];
  while (*word != '\0' && i-- > 0) word += strlen(word) + 1;
  return *word != '\0' ? word : NULL;
}

bool tsr_op_on(const tsr_op *op, const tsr_device *device) {
  if (op == NULL) return false;
  return device == NULL || device->is_host || tsr__is_dry(device) || tsr__device_computes(device, op->name);
}

#endif
