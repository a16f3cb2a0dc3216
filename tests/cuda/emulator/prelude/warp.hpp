// What the threads of a block and of a warp do together. The line is that of the call in the kernel text.
#define EMU_LINE int line = __builtin_LINE()
static inline void __syncthreads(EMU_LINE) { (void)emu_hooks->barrier(0, 0, BARRIER_PLAIN, 0, line); }
static inline int __syncthreads_count(int x, EMU_LINE) { return emu_hooks->barrier(0, 0, BARRIER_COUNT, x, line); }
static inline int __syncthreads_and(int x, EMU_LINE) { return emu_hooks->barrier(0, 0, BARRIER_ALL, x, line); }
static inline int __syncthreads_or(int x, EMU_LINE) { return emu_hooks->barrier(0, 0, BARRIER_ANY, x, line); }
// bar.sync id, count
static inline void emu_barrier(int id, int count, EMU_LINE) { (void)emu_hooks->barrier(id, count, BARRIER_PLAIN, 0, line); }
static inline void __syncwarp(unsigned mask = ~0u, EMU_LINE) { (void)emu_hooks->warp(WARP_SYNC, mask, 0, 0, 32, line); }
static inline unsigned __activemask() { return emu_hooks->active(); }

template <class T> static inline T emu_shuffle(int kind, unsigned mask, T value, int argument, int width, int line) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "4 or 8 bytes");
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &value, sizeof value);
  bits = emu_hooks->warp(kind, mask, bits, argument, width, line);
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}
#define EMU_SHUFFLES(T)                                                                          \
  static inline T __shfl_sync(unsigned mask, T v, int lane, int width = 32, EMU_LINE) {          \
    return emu_shuffle<T>(WARP_INDEX, mask, v, lane, width, line);                               \
  }                                                                                              \
  static inline T __shfl_up_sync(unsigned mask, T v, unsigned by, int width = 32, EMU_LINE) {    \
    return emu_shuffle<T>(WARP_UP, mask, v, (int)by, width, line);                               \
  }                                                                                              \
  static inline T __shfl_down_sync(unsigned mask, T v, unsigned by, int width = 32, EMU_LINE) {  \
    return emu_shuffle<T>(WARP_DOWN, mask, v, (int)by, width, line);                             \
  }                                                                                              \
  static inline T __shfl_xor_sync(unsigned mask, T v, int bits, int width = 32, EMU_LINE) {      \
    return emu_shuffle<T>(WARP_XOR, mask, v, bits, width, line);                                 \
  }
EMU_SHUFFLES(int) EMU_SHUFFLES(unsigned) EMU_SHUFFLES(long) EMU_SHUFFLES(unsigned long) EMU_SHUFFLES(long long)
EMU_SHUFFLES(unsigned long long) EMU_SHUFFLES(float) EMU_SHUFFLES(double)
#undef EMU_SHUFFLES

static inline unsigned __ballot_sync(unsigned mask, int x, EMU_LINE) {
  return (unsigned)emu_hooks->warp(WARP_BALLOT, mask, x != 0, 0, 32, line);
}
static inline int __any_sync(unsigned mask, int x, EMU_LINE) {
  return (int)emu_hooks->warp(WARP_ANY, mask, x != 0, 0, 32, line);
}
static inline int __all_sync(unsigned mask, int x, EMU_LINE) {
  return (int)emu_hooks->warp(WARP_ALL, mask, x != 0, 0, 32, line);
}
template <class T> static inline unsigned __match_any_sync(unsigned mask, T v, EMU_LINE) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &v, sizeof v);
  return (unsigned)emu_hooks->warp(WARP_MATCH_ANY, mask, bits, 0, 32, line);
}
template <class T> static inline unsigned __match_all_sync(unsigned mask, T v, int *all, EMU_LINE) {
  unsigned long long bits = 0;
  __builtin_memcpy(&bits, &v, sizeof v);
  const unsigned same = (unsigned)emu_hooks->warp(WARP_MATCH_ALL, mask, bits, 0, 32, line);
  *all = same != 0;
  return same;
}
#define EMU_REDUCE(name, kind, T)                                               \
  static inline T name(unsigned mask, T v, EMU_LINE) {                          \
    return (T)emu_hooks->warp(kind, mask, (unsigned)v, 0, 32, line);            \
  }
EMU_REDUCE(__reduce_add_sync, WARP_ADD, unsigned) EMU_REDUCE(__reduce_add_sync, WARP_ADD, int)
EMU_REDUCE(__reduce_min_sync, WARP_MIN, unsigned) EMU_REDUCE(__reduce_min_sync, WARP_MIN_SIGNED, int)
EMU_REDUCE(__reduce_max_sync, WARP_MAX, unsigned) EMU_REDUCE(__reduce_max_sync, WARP_MAX_SIGNED, int)
EMU_REDUCE(__reduce_and_sync, WARP_AND, unsigned)
EMU_REDUCE(__reduce_or_sync, WARP_OR, unsigned)
EMU_REDUCE(__reduce_xor_sync, WARP_BITS_XOR, unsigned)
#undef EMU_REDUCE
