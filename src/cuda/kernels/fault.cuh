// What a kernel leaves that found a bad index: the least position by an atomic in the device's own memory, and a mark in
// the host's by a plain store, which a call that waits looks at for nothing.
struct tsr_fault {
  unsigned long long *position;
  volatile unsigned *mark;
};

static __device__ __forceinline__ void tsr_fault_at(const tsr_fault fault, unsigned long long position) {
  atomicMin(fault.position, position);
  *fault.mark = 1;
}
