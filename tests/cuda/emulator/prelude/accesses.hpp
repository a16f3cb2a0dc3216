// The compiler's calls for each access (-fsanitize=thread), answered by the emulator instead of a sanitizer. They have names of
// our own in C++: the compiler has declared the others.
#define EMU_CALLED(name, parameters, symbol) \
  extern "C" __attribute__((visibility("hidden"))) void name parameters asm(#symbol); \
  extern "C" EMU_PLAIN void name parameters
#define EMU_TELL(n, kind) emu_hooks->access(p, n, kind, __builtin_return_address(0))
#define EMU_ACCESS(n)                                                                                       \
  EMU_CALLED(emu_read##n, (void *p), __tsan_read##n) { EMU_TELL(n, ACCESS_READ); }                          \
  EMU_CALLED(emu_write##n, (void *p), __tsan_write##n) { EMU_TELL(n, ACCESS_WRITE); }                       \
  EMU_CALLED(emu_volatile_read##n, (void *p), __tsan_volatile_read##n) { EMU_TELL(n, ACCESS_ATOMIC_READ); }      \
  EMU_CALLED(emu_volatile_write##n, (void *p), __tsan_volatile_write##n) { EMU_TELL(n, ACCESS_ATOMIC_WRITE); }
EMU_ACCESS(1) EMU_ACCESS(2) EMU_ACCESS(4) EMU_ACCESS(8) EMU_ACCESS(16)
#define EMU_UNALIGNED(n)                                                                                    \
  EMU_CALLED(emu_unaligned_read##n, (void *p), __tsan_unaligned_read##n) { EMU_TELL(n, ACCESS_READ | ACCESS_UNALIGNED); }      \
  EMU_CALLED(emu_unaligned_write##n, (void *p), __tsan_unaligned_write##n) { EMU_TELL(n, ACCESS_WRITE | ACCESS_UNALIGNED); }
EMU_UNALIGNED(2) EMU_UNALIGNED(4) EMU_UNALIGNED(8) EMU_UNALIGNED(16)
EMU_CALLED(emu_read_range, (void *p, unsigned long n), __tsan_read_range) { EMU_TELL(n, ACCESS_READ | ACCESS_UNALIGNED); }
EMU_CALLED(emu_write_range, (void *p, unsigned long n), __tsan_write_range) { EMU_TELL(n, ACCESS_WRITE | ACCESS_UNALIGNED); }
EMU_CALLED(emu_func_entry, (void *), __tsan_func_entry) {}
EMU_CALLED(emu_func_exit, (), __tsan_func_exit) {}
EMU_CALLED(emu_init, (), __tsan_init) {}
