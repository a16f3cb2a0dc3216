// Loads and stores with a hint are plain ones; atomics are plain too: one thread of one kernel runs at a time.
#define EMU_LOAD(name) template <class T> static inline T name(const T *p) { return *p; }
#define EMU_STORE(name) template <class T> static inline void name(T *p, T v) { *p = v; }
EMU_LOAD(__ldg) EMU_LOAD(__ldcg) EMU_LOAD(__ldca) EMU_LOAD(__ldcs) EMU_LOAD(__ldlu) EMU_LOAD(__ldcv)
EMU_STORE(__stwb) EMU_STORE(__stcg) EMU_STORE(__stcs) EMU_STORE(__stwt)
#undef EMU_LOAD
#undef EMU_STORE

static inline void __threadfence() { emu_hooks->order(); }
static inline void __threadfence_block() { emu_hooks->order(); }
static inline void __threadfence_system() { emu_hooks->order(); }
static inline void __nanosleep(unsigned) { emu_hooks->sleep(); }
static inline void __trap() { emu_hooks->fail("__trap"); }
static inline long long clock64() { return (long long)emu_hooks->clock(); }
static inline long clock() { return (long)emu_hooks->clock(); }
static inline size_t __cvta_generic_to_shared(const void *p) { return (size_t)p; }
static inline size_t __cvta_generic_to_global(const void *p) { return (size_t)p; }

// Copies as cp.async does them: they have happened when they were waited for, and not before.
static inline void emu_copy_async(void *dst, const void *src, int bytes) {
  emu_hooks->copy_later(dst, src, (unsigned long)bytes);
}
static inline void emu_copy_commit() { emu_hooks->copy_commit(); }
static inline void emu_copy_wait(int groups_left) { emu_hooks->copy_wait(groups_left); }

template <class T> EMU_PLAIN static inline T emu_atomic(T *p, T (*change)(T, T), T v) {
  emu_hooks->access((const void *)p, sizeof *p, ACCESS_ATOMIC, __builtin_return_address(0));
  const T old = *(volatile T *)p;
  *(volatile T *)p = change(old, v);
  return old;
}
template <class T> EMU_PLAIN static T emu_add(T a, T b) { return (T)(a + b); }
template <class T> EMU_PLAIN static T emu_sub(T a, T b) { return (T)(a - b); }
template <class T> EMU_PLAIN static T emu_min(T a, T b) { return b < a ? b : a; }
template <class T> EMU_PLAIN static T emu_max(T a, T b) { return a < b ? b : a; }
template <class T> EMU_PLAIN static T emu_and(T a, T b) { return a & b; }
template <class T> EMU_PLAIN static T emu_or(T a, T b) { return a | b; }
template <class T> EMU_PLAIN static T emu_xor(T a, T b) { return a ^ b; }
template <class T> EMU_PLAIN static T emu_exch(T, T b) { return b; }
template <class T> EMU_PLAIN static T emu_inc(T a, T b) { return a >= b ? 0 : a + 1; }
template <class T> EMU_PLAIN static T emu_dec(T a, T b) { return a == 0 || a > b ? b : a - 1; }
#define EMU_ATOMIC(name, change, T)                                                         \
  static inline T name(T *p, T v) { return emu_atomic<T>(p, change<T>, v); }                \
  static inline T name##_block(T *p, T v) { return emu_atomic<T>(p, change<T>, v); }        \
  static inline T name##_system(T *p, T v) { return emu_atomic<T>(p, change<T>, v); }
#define EMU_ATOMIC_INTEGERS(name, change)                                                   \
  EMU_ATOMIC(name, change, int) EMU_ATOMIC(name, change, unsigned) EMU_ATOMIC(name, change, unsigned long long)
EMU_ATOMIC_INTEGERS(atomicAdd, emu_add)
EMU_ATOMIC_INTEGERS(atomicMin, emu_min)
EMU_ATOMIC_INTEGERS(atomicMax, emu_max)
EMU_ATOMIC_INTEGERS(atomicAnd, emu_and)
EMU_ATOMIC_INTEGERS(atomicOr, emu_or)
EMU_ATOMIC_INTEGERS(atomicXor, emu_xor)
EMU_ATOMIC_INTEGERS(atomicExch, emu_exch)
EMU_ATOMIC(atomicSub, emu_sub, int)
EMU_ATOMIC(atomicSub, emu_sub, unsigned)
EMU_ATOMIC(atomicMin, emu_min, long long)
EMU_ATOMIC(atomicMax, emu_max, long long)
EMU_ATOMIC(atomicInc, emu_inc, unsigned)
EMU_ATOMIC(atomicDec, emu_dec, unsigned)
EMU_ATOMIC(atomicAdd, emu_add, float)
EMU_ATOMIC(atomicAdd, emu_add, double)
EMU_ATOMIC(atomicExch, emu_exch, float)
#undef EMU_ATOMIC
#undef EMU_ATOMIC_INTEGERS
#define EMU_CAS(name, T)                                                                    \
  EMU_PLAIN static inline T name(T *p, T expected, T v) {                                   \
    emu_hooks->access((const void *)p, sizeof *p, ACCESS_ATOMIC, __builtin_return_address(0)); \
    const T old = *(volatile T *)p;                                                         \
    if (old == expected) *(volatile T *)p = v;                                              \
    return old;                                                                             \
  }
EMU_CAS(atomicCAS, int) EMU_CAS(atomicCAS, unsigned) EMU_CAS(atomicCAS, unsigned long long)
EMU_CAS(atomicCAS, unsigned short)
EMU_CAS(atomicCAS_block, int) EMU_CAS(atomicCAS_block, unsigned) EMU_CAS(atomicCAS_block, unsigned long long)
EMU_CAS(atomicCAS_system, int) EMU_CAS(atomicCAS_system, unsigned) EMU_CAS(atomicCAS_system, unsigned long long)
#undef EMU_CAS
