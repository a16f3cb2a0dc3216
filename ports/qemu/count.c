/* A plugin for QEMU: counts the instructions that a program executes, and writes the count down whenever it calls
 * port_mark. For the machine that runs QEMU, not for the target:
 *
 *   cc -O2 -shared -fPIC -o count.so ports/qemu/count.c
 *   qemu-system-arm ... -plugin ./count.so,out=FILE
 *
 * Debian has no header of the plugin interface, version 1; what is used of it is declared here. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
typedef void translated_fn(qemu_plugin_id_t id, struct qemu_plugin_tb *block);
typedef void executed_fn(unsigned cpu, void *user);

void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t id, translated_fn *fn);
void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *insn, executed_fn *fn, int flags, void *user);
void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op, void *counter, uint64_t value);
size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *block);
struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *block, size_t index);
const char *qemu_plugin_insn_symbol(const struct qemu_plugin_insn *insn);
int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv);

enum { ADD_U64 = 0, NO_REGISTERS = 0 };

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

static uint64_t executed;
static FILE *out;

static void mark(unsigned cpu, void *user) {
  (void)cpu;
  (void)user;
  fprintf(out, "%llu\n", (unsigned long long)executed);
  fflush(out);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block) {
  const size_t count = qemu_plugin_tb_n_insns(block);
  (void)id;
  for (size_t i = 0; i < count; i++) {
    struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(block, i);
    const char *const name = qemu_plugin_insn_symbol(insn);
    /* port_mark is one instruction. */
    if (name != NULL && strcmp(name, "port_mark") == 0)
      qemu_plugin_register_vcpu_insn_exec_cb(insn, mark, NO_REGISTERS, NULL);
    qemu_plugin_register_vcpu_insn_exec_inline(insn, ADD_U64, &executed, 1);
  }
}

__attribute__((visibility("default"))) int qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc,
                                                               char **argv) {
  (void)info;
  for (int i = 0; i < argc; i++)
    if (strncmp(argv[i], "out=", 4) == 0) out = fopen(argv[i] + 4, "w");
  if (out == NULL) return 1;
  qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
  return 0;
}
