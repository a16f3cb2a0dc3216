/** @file tessera.h
 *  All of Tessera. Each header can also be included alone. */
#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

#include <tessera/elements.h>
#include <tessera/activation.h>
#include <tessera/binary.h>
#include <tessera/bundle.h>
#include <tessera/carray.h>
#include <tessera/config.h>
#include <tessera/context.h>
#include <tessera/csv.h>
#include <tessera/cumulative.h>
#include <tessera/device.h>
#include <tessera/dlpack.h>
#include <tessera/dtype.h>
#include <tessera/einsum.h>
#include <tessera/formats.h>
#include <tessera/gguf.h>
#include <tessera/index.h>
#include <tessera/io.h>
#include <tessera/isa.h>
#include <tessera/layout.h>
#include <tessera/limits.h>
#include <tessera/mmap.h>
#include <tessera/mask.h>
#include <tessera/matmul.h>
#include <tessera/memory.h>
#include <tessera/metadata.h>
#include <tessera/move.h>
#include <tessera/nn.h>
#include <tessera/npz.h>
#include <tessera/registry.h>
#include <tessera/ops.h>
#include <tessera/plan.h>
#include <tessera/program.h>
#include <tessera/png.h>
#include <tessera/pnm.h>
#include <tessera/print.h>
#include <tessera/random.h>
#include <tessera/raw.h>
#include <tessera/reduce.h>
#include <tessera/reduce_where.h>
#include <tessera/safetensors.h>
#include <tessera/scatter.h>
#include <tessera/series.h>
#include <tessera/sort.h>
#include <tessera/status.h>
#include <tessera/summary.h>
#include <tessera/tensor.h>
#include <tessera/threads.h>
#include <tessera/unary.h>
#include <tessera/view.h>

#endif
