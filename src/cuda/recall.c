/* Plans that are remembered: a call like an earlier one, on other memory, needs addresses and nothing else. */
#include "cuda/gpu.h"

#include <string.h>

/* ---- what a call is known by ---- */

/* The bytes that an operand reaches, from the first to behind the last. */
typedef struct reach {
  const char *data, *low, *high;
} reach;

static bool add_word(tsr__cuda_call_key *key, uint64_t word) {
  if (key->words == TSR__CUDA_CALL_WORDS) return false;
  key->word[key->words++] = word;
  return true;
}

static bool add_bytes(tsr__cuda_call_key *key, const void *bytes, size_t count) {
  const size_t words = (count + 7) / 8;
  if (words > (size_t)(TSR__CUDA_CALL_WORDS - key->words)) return false;
  if (words == 0) return true;
  key->word[key->words + (int)words - 1] = 0;
  memcpy(&key->word[key->words], bytes, count);
  key->words += (int)words;
  return true;
}

/* Numbers of the host by their value; nothing else of the host. */
static bool add_number(tsr__cuda_call_key *key, const tsr_tensor *t) {
  return t->ndim == 0 && t->data != NULL && add_word(key, (uint64_t)t->dtype << 8 | 1) &&
         add_bytes(key, t->data, tsr_dtype_size(t->dtype));
}

/* Dtype, layout, axes and the alignment of an operand: all that a plan is made of, but for what lies over what. */
static bool add_operand(tsr__cuda_call_key *key, const tsr_tensor *t, reach *r) {
  const size_t item = tsr_dtype_size(t->dtype);
  *r = (reach){t->data, t->data, t->data};
  if (key->words + 1 + 2 * t->ndim > TSR__CUDA_CALL_WORDS) return false;
  key->word[key->words++] = ((uintptr_t)t->data & 255) << 32 | (uint64_t)t->layout << 24 | (uint64_t)t->ndim << 16 |
                            (uint64_t)t->dtype << 8 | (t->data != NULL ? 2 : 3);
  for (int d = 0; d < t->ndim; d++) {
    const ptrdiff_t last = (ptrdiff_t)(t->shape[d] - 1) * (ptrdiff_t)t->stride[d] * (ptrdiff_t)item;
    key->word[key->words++] = (uint64_t)t->shape[d];
    key->word[key->words++] = (uint64_t)t->stride[d];
    if (t->shape[d] == 0) continue;
    *(last < 0 ? &r->low : &r->high) += last;
  }
  r->high += item;
  return true;
}

#if TSR_HAVE_OPS
/* Attributes by their bytes, pointers by what they point to. Lists within what is pointed to are not followed: no key. A group of calls
 * (fuse/group.h) is more bytes than a key has, and planned each time. */
static bool add_attributes(tsr__cuda_call_key *key, const tsr__op_info *info, const char *attrs) {
  const tsr__attr_pointer *const first = info->pointers(), *last = first;
  while (last->count != TSR__ATTR_END) last++;
  const int at = key->words;
  if (!add_bytes(key, attrs, last->at)) return false;
  for (const tsr__attr_pointer *p = first; p != last; p++) {
    const void *from = NULL;
    int count = 1;
    if (p->inside != 0) return false;
    memcpy(&from, attrs + p->at, sizeof from);
    if (p->count != TSR__ATTR_ONE) memcpy(&count, attrs + p->count, sizeof count);
    if (p->count != TSR__ATTR_ONE && count <= 0) from = NULL;
    memset((char *)&key->word[at] + p->at, from != NULL, sizeof from);
    if (from == NULL) continue;
    const size_t bytes = p->item == TSR__ATTR_TEXT ? strlen(from) + 1 : (size_t)count * p->item;
    if (!add_bytes(key, from, bytes)) return false;
  }
  return true;
}
#endif

/* An input that lies over an output in part is planned each time; one that begins where it begins is known by its axes. */
static bool add_overlap(tsr__cuda_call_key *key, const reach *in, int inputs, const reach *out) {
  uint64_t same = 0;
  for (int i = 0; i < inputs; i++) {
    if (in[i].data == NULL || out->data == NULL || in[i].high <= out->low || out->high <= in[i].low) continue;
    if (in[i].data != out->data) return false;
    same |= (uint64_t)1 << i;
  }
  return add_word(key, same);
}

bool tsr__cuda_key_of(const tsr_work *work, tsr__cuda_call_key *key) {
#if TSR_HAVE_OPS
  enum { MOST = 8 };
  const tsr__op_info *const info = work->info;
  reach in[MOST], out;
  if (work->inputs > MOST || work->outputs != 1 || (info->flags & TSR__OP_RANDOM) != 0) return false;
  key->words = 0;
  (void)add_word(key, (uint64_t)(uintptr_t)info);
  (void)add_word(key, (uint64_t)work->inputs);
  if (!add_attributes(key, info, work->attrs)) return false;
  for (int i = 0; i < work->inputs; i++) {
    const tsr_tensor *const t = work->in[i];
    in[i] = (reach){NULL, NULL, NULL};
    if (t == NULL || t->dtype == TSR_NONE) {
      if (!add_word(key, 0)) return false;
    } else if (t->data != NULL && tsr_device_of(t)->is_host) {
      if (!add_number(key, t)) return false;
    } else if (!add_operand(key, t, &in[i])) {
      return false;
    }
  }
  return add_operand(key, work->out[0], &out) && add_overlap(key, in, work->inputs, &out);
#else
  (void)work, (void)key;
  return false;
#endif
}

/* ---- plans by keys ---- */

static void set_slot(tsr__cuda_call_key *key) {
  uint64_t h = 0;
  for (int i = 0; i < key->words; i++) h = (h ^ key->word[i]) * 0x9e3779b97f4a7c15u, h ^= h >> 29;
  key->slot = (int)(h % TSR__CUDA_SLOTS);
}

static bool is_key(const tsr__cuda_call_key *a, const tsr__cuda_call_key *b) {
  return a->words == b->words && memcmp(a->word, b->word, sizeof a->word[0] * (size_t)a->words) == 0;
}

/* A plan is written to while it runs: who takes it has it alone, and another thread plans for itself. */
tsr__cuda_plan *tsr__cuda_plan_recall(tsr__cuda *gpu, tsr__cuda_call_key *key) {
  set_slot(key);
  tsr__cuda_plan *const plan = __atomic_exchange_n(&gpu->plans.slot[key->slot], NULL, __ATOMIC_ACQUIRE);
  if (plan == NULL || is_key(&plan->key, key)) return plan;
  tsr__cuda_plan_put(gpu, plan);
  return NULL;
}

tsr__cuda_plan *tsr__cuda_plan_keep(tsr__cuda *gpu, tsr__cuda_plan *plan) {
  return __atomic_exchange_n(&gpu->plans.slot[plan->key.slot], plan, __ATOMIC_ACQ_REL);
}

void tsr__cuda_plan_name(tsr__cuda_plan *plan, const tsr__cuda_call_key *key) {
  plan->key.words = key->words;
  plan->key.slot = key->slot;
  memcpy(plan->key.word, key->word, sizeof key->word[0] * (size_t)key->words);
}
