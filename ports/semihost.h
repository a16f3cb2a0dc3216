/* What a program without an operating system can ask of a debugger, or of QEMU: text, and an end with an exit code.
 * Where nobody listens these calls stop the core, so that they are for tests and examples. */
#ifndef PORT_SEMIHOST_H
#define PORT_SEMIHOST_H

#include <stdint.h>

#if defined __riscv
static inline int port_semihost(int operation, const void *argument) {
  register int a0 __asm__("a0") = operation;
  register const void *a1 __asm__("a1") = argument;
  /* The three instructions are the sign; none may be short, and all lie in one page. */
  __asm__ volatile(
      ".option push\n .option norvc\n .balign 16\n slli x0, x0, 0x1f\n ebreak\n srai x0, x0, 7\n .option pop"
      : "+r"(a0)
      : "r"(a1)
      : "memory");
  return a0;
}
#else
static inline int port_semihost(int operation, const void *argument) {
  register int r0 __asm__("r0") = operation;
  register const void *r1 __asm__("r1") = argument;
  __asm__ volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
  return r0;
}
#endif

enum { PORT_WRITE0 = 0x04, PORT_EXIT_EXTENDED = 0x20 };

/* Text that ends in 0. */
static inline void port_say(const char *text) { (void)port_semihost(PORT_WRITE0, text); }

/* Ends the program; QEMU leaves with this code. */
static inline void port_leave(int code) {
  const uint32_t reason[2] = {0x20026u /* the application left */, (uint32_t)code};
  for (;;) (void)port_semihost(PORT_EXIT_EXTENDED, reason);
}

#endif
