/* Start-up of a Cortex-M with QEMU semihosting: vectors, the FPU, .data and .bss, main, exit.
 * With PORT_STDIO, newlib's semihosting gives printf and the host's files. */
#include "../semihost.h"
#ifdef PORT_STDIO
#include <stdlib.h>
#endif

extern uint32_t port_data_load[], port_data_start[], port_data_end[], port_bss_start[], port_bss_end[],
    port_stack_top[];
int main(void);
void port_reset(void);
void port_fault(void);

#define CPACR (*(volatile uint32_t *)0xE000ED88u) /* who may use the FPU, and MVE */

void port_fault(void) { port_leave(125); }

void port_reset(void) {
  CPACR |= 0xFu << 20;
  __asm__ volatile("dsb\n isb");
  const uint32_t *from = port_data_load;
  for (uint32_t *to = port_data_start; to < port_data_end; to++) *to = *from++;
  for (uint32_t *to = port_bss_start; to < port_bss_end; to++) *to = 0;
#ifdef PORT_STDIO
  extern void initialise_monitor_handles(void);
  initialise_monitor_handles();
  exit(main());
#else
  port_leave(main());
#endif
}

#ifdef PORT_STDIO
void _init(void);
void _fini(void);
void _init(void) {}
void _fini(void) {}
#endif

/* The stack, the start, then fifteen system exceptions; the interrupts of a part would follow. */
__attribute__((section(".vectors"), used)) static void (*const vectors[16])(void) = {
    (void (*)(void))(uintptr_t)port_stack_top,
    port_reset,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault,
    port_fault};
