/** @file tessera.h
 *  All of Tessera, by what it is about. Each header can also be included alone. */
#ifndef TESSERA_TESSERA_H
#define TESSERA_TESSERA_H

/* ---- tensors ---- */
#include <tessera/tensor.h>   /* the struct, describing, sharing, releasing; TSR_SHAPE, TSR_INDEX, TSR_AXES */
#include <tessera/dtype.h>    /* dtypes and what they promote to */
#include <tessera/layout.h>   /* what axes mean: NCHW, NHWC, … */
#include <tessera/index.h>    /* the type of lengths and strides */
#include <tessera/status.h>   /* what functions return */
#include <tessera/view.h>     /* slices, transposes, reshapes: no copy */
#include <tessera/elements.h> /* one element, rows, iterators, a function for each */
#include <tessera/bundle.h>   /* named tensors, in order */

/* ---- where they live and who computes ---- */
#include <tessera/context.h> /* allocator, threads, scratch memory, errors, tracing */
#include <tessera/memory.h>  /* allocators: arena, pool, tiers, counting, failing */
#include <tessera/plan.h>    /* lifetimes to offsets of one block */
#include <tessera/device.h>  /* memory and computing beyond the host; dry runs */
#include <tessera/queue.h>   /* calls that return when they are enqueued; events, pinned memory */
#include <tessera/threads.h> /* pools of threads */
#include <tessera/isa.h>     /* instruction sets by number */
#include <tessera/program.h> /* calls recorded and replayed */
#include <tessera/prepare.h> /* calls checked once, run often */
#include <tessera/expr.h>    /* a line of mathematics as text */
#include <tessera/scope.h>   /* temporaries that are released together */
#include <tessera/config.h>  /* what this build has */

/* ---- operations ---- */
#include <tessera/ops.h>          /* creation, copies, casts, filling, comparing */
#include <tessera/unary.h>        /* one input: exp, sqrt, relu, … */
#include <tessera/binary.h>       /* two inputs: add, pow, less, …; three: where, fma, … */
#include <tessera/reduce.h>       /* sums, means, extremes, norms */
#include <tessera/reduce_where.h> /* the same of some elements */
#include <tessera/cumulative.h>   /* running sums, products, extremes */
#include <tessera/sort.h>         /* sort, topk, median, unique, searchsorted, histogram */
#include <tessera/move.h>         /* concat, pad, roll, take, gather, tile, … */
#include <tessera/scatter.h>      /* writing by index */
#include <tessera/mask.h>         /* masks: fill, select, nonzero */
#include <tessera/matmul.h>       /* products of matrices, weights packed ahead */
#include <tessera/linalg.h>       /* solve, inv, det, cholesky, qr, eigh, svd, … */
#include <tessera/fft.h>          /* Fourier transforms, windows of spectra */
#include <tessera/einsum.h>       /* einsum, tensordot, kron, trace, … */
#include <tessera/series.h>       /* along one axis: diff, interp, convolve, … */
#include <tessera/random.h>       /* random numbers */
#include <tessera/summary.h>      /* what is in a tensor, how two differ */
#include <tessera/registry.h>     /* every op by its name */
#include <tessera/activation.h>   /* activations that products and layers apply */

/* ---- networks ---- */
#include <tessera/nn.h> /* all of them: attention, conv, conv3d, conv_transpose, dense, dropout, embedding, kv_cache, loss, lrn,
                         * norm, pixel_shuffle, pool, quant, resize, rotary, softmax */

/* ---- files and other programs ---- */
#include <tessera/formats.h>     /* load and save by name or content */
#include <tessera/io.h>          /* .npy; sources, readers, sinks, producers */
#include <tessera/npz.h>         /* archives of arrays */
#include <tessera/safetensors.h> /* safetensors */
#include <tessera/gguf.h>        /* GGUF */
#include <tessera/table.h>       /* named columns: numbers, dates, text */
#include <tessera/calendar.h>    /* dates and times */
#include <tessera/csv.h>         /* tables as text */
#include <tessera/wav.h>         /* sound */
#include <tessera/image.h>       /* images and tensors, images of another size */
#include <tessera/png.h>         /* PNG images */
#include <tessera/jpeg.h>        /* JPEG images, where there is libjpeg */
#include <tessera/pnm.h>         /* PGM and PPM images */
#include <tessera/raw.h>         /* elements and nothing else */
#include <tessera/carray.h>      /* C source */
#include <tessera/mmap.h>        /* files as memory */
#include <tessera/arrow.h>       /* Arrow's C data interface */
#include <tessera/dlpack.h>      /* DLPack, both versions */
#include <tessera/limits.h>      /* how much a file may ask for */
#include <tessera/metadata.h>    /* keys and texts of a file */
#include <tessera/print.h>       /* tensors as text */

#endif
