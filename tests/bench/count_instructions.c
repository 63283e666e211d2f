// Plugin of QEMU's user emulation: how many instructions of the guest a program
// executes, as "instructions 123" on stderr when it ends.  Blocks of code are counted
// where they begin.  For one thread: two at once could lose counts.
//   cc -shared -fPIC count_instructions.c -o libcount.so
//   qemu-aarch64 -plugin ./libcount.so -d plugin PROGRAM
// Debian has no header of these functions; they are declared here as QEMU documents
// them.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define EXPORT __attribute__((visibility("default")))

typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
enum { kInlineAdd = 0 };

extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb* block);
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb* block,
                                                     int operation,
                                                     void* counter,
                                                     uint64_t step);
extern void qemu_plugin_register_vcpu_tb_trans_cb(
    qemu_plugin_id_t id,
    void (*translated)(qemu_plugin_id_t id, struct qemu_plugin_tb* block));
extern void qemu_plugin_register_atexit_cb(
    qemu_plugin_id_t id, void (*ended)(qemu_plugin_id_t id, void* data), void* data);
extern void qemu_plugin_outs(const char* text);

EXPORT int qemu_plugin_version = 1;
static uint64_t instructions;

static void count_block(qemu_plugin_id_t id, struct qemu_plugin_tb* block) {
  (void)id;
  qemu_plugin_register_vcpu_tb_exec_inline(
      block, kInlineAdd, &instructions, qemu_plugin_tb_n_insns(block));
}

static void report(qemu_plugin_id_t id, void* data) {
  (void)id;
  (void)data;
  char line[64];
  snprintf(line, sizeof line, "instructions %" PRIu64 "\n", instructions);
  qemu_plugin_outs(line);
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id,
                               const void* info,
                               int argc,
                               char** argv) {
  (void)info;
  (void)argc;
  (void)argv;
  qemu_plugin_register_vcpu_tb_trans_cb(id, count_block);
  qemu_plugin_register_atexit_cb(id, report, NULL);
  return 0;
}
