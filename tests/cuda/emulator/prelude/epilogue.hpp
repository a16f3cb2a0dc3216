// Behind every kernel text: what the driver looks for in the module. The lines of its kernels, EMU_KERNELS, and of what it calls
// its dynamic shared memory come before.
template <class... P> struct emu_parameters {
  static constexpr unsigned short sizes[] = {(unsigned short)sizeof(P)..., 0};
  static constexpr unsigned short aligns[] = {(unsigned short)alignof(P)..., 0};
};
template <class... P> static constexpr struct emulated_kernel emu_kernel(const char *name, void (*entry)(void **), void (*)(P...),
                                                                         int max_threads) {
  return {name, entry, (int)sizeof...(P), emu_parameters<P...>::sizes, emu_parameters<P...>::aligns, max_threads};
}
template <unsigned... I> struct emu_numbers {};
template <class... P, unsigned... I>
EMU_PLAIN static inline void emu_call(void (*kernel)(P...), void **arguments, emu_numbers<I...>) {
  kernel(*(P *)arguments[I]...);
}
template <class... P> EMU_PLAIN static inline void emu_start(void (*kernel)(P...), void **arguments) {
  emu_call<P...>(kernel, arguments, emu_numbers<__integer_pack((unsigned)sizeof...(P))...>());
}

#ifdef EMU_DYNAMIC
extern "C" __attribute__((visibility("hidden"))) thread_local char emu_dynamic_shared[EMULATED_DYNAMIC] __align__(1024);
thread_local char emu_dynamic_shared[EMULATED_DYNAMIC];
static char *emu_find_dynamic() { return emu_dynamic_shared; }
#else
static constexpr char *(*emu_find_dynamic)() = nullptr;
#endif
static thread_local char emu_anchor_byte;
static char *emu_find_anchor() { return &emu_anchor_byte; }

// threadIdx and its like, which are const to kernels: for one thread they are.
extern "C" {
struct emulated_hooks emu_hooks_written asm("emu_hook_memory");
unsigned emu_indices_memory[12] asm("emu_thread_index");
}
asm(".set emu_block_index, emu_thread_index + 12\n.set emu_block_dim, emu_thread_index + 24\n"
    ".set emu_grid_dim, emu_thread_index + 36\n"
    ".globl emu_block_index, emu_block_dim, emu_grid_dim\n.hidden emu_block_index, emu_block_dim, emu_grid_dim\n");

#ifdef EMU_CHECKED
#include "accesses.hpp"
#endif
