/* Start-up of a 32-bit RISC-V with QEMU semihosting: stack, pointers, the FPU, .data and .bss, main, exit.
 * With PORT_STDIO, picolibc's semihosting gives printf. */
#include "../semihost.h"
#ifdef PORT_STDIO
#include <stdlib.h>
#endif

extern uint32_t port_data_load[], port_data_start[], port_data_end[], port_bss_start[], port_bss_end[];
int main(void);
void port_reset(void);
void port_fault(void);
void port_start(void);

__attribute__((aligned(4))) void port_fault(void) { port_leave(125); }

void port_start(void) {
  const uint32_t *from = port_data_load;
  for (uint32_t *to = port_data_start; to < port_data_end; to++) *to = *from++;
  for (uint32_t *to = port_bss_start; to < port_bss_end; to++) *to = 0;
#ifdef PORT_STDIO
  exit(main());
#else
  port_leave(main());
#endif
}

/* gp serves short addresses, tp the C library's errno; mtvec is where faults go, mstatus.FS lets the FPU work. */
__attribute__((naked, section(".reset"), used)) void port_reset(void) {
  __asm__ volatile(
      ".option push\n .option norelax\n .option arch, +zicsr\n"
      "la gp, __global_pointer$\n"
      "la sp, port_stack_top\n"
      "la tp, port_tls_start\n"
      "la t0, port_fault\n csrw mtvec, t0\n"
      "li t0, 0x2000\n csrs mstatus, t0\n"
      ".option pop\n"
      "j port_start");
}
