#define _GNU_SOURCE
#include "fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { STACK_BYTES = 256 * 1024 };

struct fiber_stack {
  fiber_stack *next;
  char *memory;
  void *context; /* where there is no switch of our own */
};
static fiber_stack *pool; /* used by one executing thread at a time */

fiber_stack *fiber_take(void) {
  fiber_stack *stack = pool;
  if (stack != NULL) {
    pool = stack->next;
    return stack;
  }
  stack = calloc(1, sizeof *stack);
  void *const memory =
      mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stack == NULL || memory == MAP_FAILED) abort();
  (void)mprotect(memory, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
  stack->memory = memory;
  return stack;
}

void fiber_give(fiber_stack *stack) {
  stack->next = pool;
  pool = stack;
}

int fiber_holds(const fiber_stack *stack, const void *address) {
  const uintptr_t at = (uintptr_t)address, first = (uintptr_t)stack->memory;
  return at >= first && at - first < STACK_BYTES;
}

int fiber_overflowed(const fiber_stack *stack, const void *address) {
  const uintptr_t at = (uintptr_t)address, first = (uintptr_t)stack->memory;
  return at >= first && at - first < (uintptr_t)sysconf(_SC_PAGESIZE);
}

#if defined(__x86_64__)
/* The registers that a function must leave as they are: rbx, rbp, r12 to r15. */
__asm__(
    ".text\n.globl fiber_switch\n.hidden fiber_switch\n.type fiber_switch,@function\nfiber_switch:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n  ret\n"
    ".size fiber_switch,.-fiber_switch\n");

void *fiber_begin(fiber_stack *stack, void (*start)(void)) {
  uintptr_t *const top = (uintptr_t *)(void *)(stack->memory + STACK_BYTES);
  top[-1] = 0; /* nobody called start; the stack is as behind a call */
  top[-2] = (uintptr_t)start;
  for (int i = 3; i <= 8; i++) top[-i] = 0;
  return &top[-8];
}
#elif defined(__aarch64__)
/* x19 to x30 and d8 to d15. */
__asm__(
    ".text\n.globl fiber_switch\n.hidden fiber_switch\n.type fiber_switch,%function\nfiber_switch:\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n"
    "  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
    "  ldp x19, x20, [sp]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n"
    "  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n  ret\n.size fiber_switch,.-fiber_switch\n");

void *fiber_begin(fiber_stack *stack, void (*start)(void)) {
  uintptr_t *const frame = (uintptr_t *)(void *)(stack->memory + STACK_BYTES - 160);
  for (int i = 0; i < 20; i++) frame[i] = 0;
  frame[11] = (uintptr_t)start; /* x30 */
  return frame;
}
#else
#include <ucontext.h>
/* A place to go on is a ucontext_t: that of a stack, or that of the thread that has none of these. */
static ucontext_t threads_own;

void *fiber_begin(fiber_stack *stack, void (*start)(void)) {
  if (stack->context == NULL) stack->context = malloc(sizeof(ucontext_t));
  ucontext_t *const c = stack->context;
  if (c == NULL || getcontext(c) != 0) abort();
  c->uc_stack.ss_sp = stack->memory;
  c->uc_stack.ss_size = STACK_BYTES;
  c->uc_link = NULL;
  makecontext(c, start, 0);
  return c;
}

void fiber_switch(void **here, void *there) {
  static void *running; /* NULL: the thread's own */
  void *const from = running != NULL ? running : &threads_own;
  *here = from;
  running = there == &threads_own ? NULL : there;
  (void)swapcontext(from, there);
}
#endif
