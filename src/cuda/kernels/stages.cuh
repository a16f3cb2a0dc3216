/* Copies to stages of shared memory that are under way while others are worked on: 16 bytes a call, or zeros, in groups. */
#ifdef TSR_CUDA_EMULATED

static inline void tsr__stage_copy(void *to, const void *from, bool taken) {
  if (taken)
    emu_copy_async(to, from, 16);
  else
    *(uint4 *)to = make_uint4(0, 0, 0, 0);
}
static inline void tsr__stage_copy_cached(void *to, const void *from, bool taken) { tsr__stage_copy(to, from, taken); }
static inline void tsr__stage_commit() { emu_copy_commit(); }
template <int left> static inline void tsr__stage_wait() { emu_copy_wait(left); }

#else

static inline void tsr__stage_copy(void *to, const void *from, bool taken) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
               "l"(__cvta_generic_to_global(from)), "r"(taken ? 16 : 0)
               : "memory");
}
/* By way of the first cache, for what this multiprocessor reads again. */
static inline void tsr__stage_copy_cached(void *to, const void *from, bool taken) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16, %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)),
               "l"(__cvta_generic_to_global(from)), "r"(taken ? 16 : 0)
               : "memory");
}
static inline void tsr__stage_commit() { asm volatile("cp.async.commit_group;" ::: "memory"); }
/* All groups have arrived but the last few, for this thread. */
template <int left> static inline void tsr__stage_wait() { asm volatile("cp.async.wait_group %0;" ::"n"(left) : "memory"); }

#endif
