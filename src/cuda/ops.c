/* The table: which engine does which op, and its line. */
#include "cuda/engines/engines.h"
#include "cuda/lines.h"

#include <string.h>

#define LINE(op, engine, line) {#op, tsr__cuda_##engine, &tsr__cuda_line_of[TSR__LINE_##line]},
#define PLAIN(op, engine) {#op, tsr__cuda_##engine, NULL},

static const tsr__cuda_op ops[] = {
#include "cuda/scans.def"
#include "cuda/sorts.def"
    {"attention", tsr__cuda_attention, NULL},
    {"kv_append", tsr__cuda_kv_append, NULL},
    {"multi_head_attention", tsr__cuda_multi_head_attention, NULL},
    {"full_complex", tsr__cuda_full_complex, NULL},
    {"fill_complex", tsr__cuda_fill_complex, NULL},
    {"fftfreq", tsr__cuda_fftfreq, NULL},
    {"rfftfreq", tsr__cuda_rfftfreq, NULL},
    {"fftshift", tsr__cuda_fftshift, NULL},
    {"ifftshift", tsr__cuda_ifftshift, NULL},
    {"window", tsr__cuda_window, NULL},
    {"rotary_tables", tsr__cuda_rotary_tables, NULL},
    {"accuracy", tsr__cuda_accuracy, NULL},
    {"confusion_matrix", tsr__cuda_confusion_matrix, NULL},
#define UNARY_EACH(op, ...) LINE(op, elementwise, op)
#include "ops/unary/rows.def"
    LINE(leaky_relu, elementwise_attribute, leaky_relu) LINE(elu, elementwise_attribute, elu) LINE(
        celu, elementwise_attribute, celu)
#define BINARY_EACH(op, ...) LINE(op, elementwise, op)
#include "ops/binary/rows.def"
#define NUMBER_ANY real
#define NUMBER_FLOATING float
#define WITH_OF(op, kind) LINE(op##_scalar, with_##kind, op)
#define WITH(op, kind) WITH_OF(op, kind)
#define OF_WITH_OF(op, kind) LINE(scalar_##op, kind##_with, op)
#define OF_WITH(op, kind) OF_WITH_OF(op, kind)
#define SCALAR(op, takes) WITH(op, NUMBER_##takes)
#define REVERSED(op, takes) OF_WITH(op, NUMBER_##takes)
#define SCALAR_I64(op) LINE(op##_scalar_i64, with_i64, op)
#define REVERSED_I64(op) LINE(scalar_##op##_i64, i64_with, op)
#include "ops/binary/numbers.def"
        PLAIN(vdot, vdot) PLAIN(cross, cross) LINE(where, where, where) LINE(clamp, clamp, clamp) LINE(
            clamp_tensor, elementwise, clamp) LINE(fma, elementwise, fma) LINE(addcmul, addcmul,
                                                                               addcmul) LINE(lerp, elementwise, lerp)
            LINE(lerp_scalar, lerp_scalar, lerp) LINE(masked_fill, masked_fill, where) PLAIN(empty, nothing) PLAIN(
                empty_like, nothing) PLAIN(zeros, zeros) PLAIN(zeros_like, zeros) PLAIN(zeros_ordered, zeros)
                PLAIN(ones, ones) PLAIN(ones_like, ones) PLAIN(full, full) PLAIN(
                    full_like,
                    full_like) PLAIN(fill,
                                     fill) PLAIN(fill_i64,
                                                 fill_i64) PLAIN(arange,
                                                                 arange) PLAIN(arange_i64, arange_i64)
                    PLAIN(linspace, linspace) PLAIN(eye, eye) PLAIN(copy, copy) PLAIN(cast, copy) PLAIN(
                        clone, copy) PLAIN(contiguous,
                                           copy) PLAIN(reshape, reshape)
                        PLAIN(reshape_ordered, reshape_ordered) PLAIN(flatten, flatten) PLAIN(to_layout, to_layout) PLAIN(
                            einsum,
                            einsum) PLAIN(tensordot, tensordot) PLAIN(inner, inner)
                            PLAIN(kron, kron) PLAIN(trace, trace) PLAIN(
                                one_hot,
                                one_hot) PLAIN(bce_loss,
                                               bce_loss) PLAIN(mse_loss,
                                                               mse_loss) PLAIN(mae_loss,
                                                                               mae_loss) PLAIN(bce_logits_loss,
                                                                                               bce_logits_loss)
                                PLAIN(huber_loss, huber_loss) PLAIN(kl_loss, kl_loss) PLAIN(rotary, rotary) PLAIN(
                                    nll_loss,
                                    nll_loss) PLAIN(cross_entropy, cross_entropy)
                                    PLAIN(mean_where, mean_where) PLAIN(var_where, var_where) PLAIN(
                                        std_where,
                                        std_where) PLAIN(sum_where,
                                                         selected) PLAIN(prod_where, selected)
                                        PLAIN(min_where, selected) PLAIN(max_where, selected) PLAIN(any_where, selected) PLAIN(
                                            all_where, selected) PLAIN(count_nonzero_where,
                                                                       selected) PLAIN(matmul, matmul)
                                            PLAIN(gemm, gemm) PLAIN(dense, dense) PLAIN(outer, outer) PLAIN(
                                                dot, matmul) PLAIN(matvec, matmul)
                                                PLAIN(rand_uniform, rand_uniform) PLAIN(rand_normal, rand_normal) PLAIN(
                                                    rand_normal_scaled,
                                                    rand_normal_scaled) PLAIN(rand_integers, rand_integers)
                                                    PLAIN(rand_bernoulli, rand_bernoulli) PLAIN(dropout, dropout) PLAIN(
                                                        concat,
                                                        concat) PLAIN(stack, stack) PLAIN(repeat, repeat)
                                                        PLAIN(tile, tile) PLAIN(
                                                            roll, roll) PLAIN(tril, tril)
                                                            PLAIN(triu, triu) PLAIN(take, take)
                                                                PLAIN(gather, gather) PLAIN(embedding, embedding) PLAIN(
                                                                    pad, pad)
                                                                    PLAIN(pad_2d, pad_2d) PLAIN(softmax, softmax) PLAIN(
                                                                        log_softmax,
                                                                        log_softmax) PLAIN(layer_norm,
                                                                                           layer_norm) PLAIN(rms_norm,
                                                                                                             rms_norm)
                                                                        PLAIN(group_norm, group_norm) PLAIN(
                                                                            instance_norm,
                                                                            instance_norm) PLAIN(batch_norm,
                                                                                                 batch_norm) PLAIN(sum,
                                                                                                                   sum)
                                                                            PLAIN(prod, prod) PLAIN(min, min) PLAIN(
                                                                                max, max) PLAIN(any, any)
                                                                                PLAIN(all,
                                                                                      all) PLAIN(count_nonzero,
                                                                                                 count_nonzero)
                                                                                    PLAIN(mean, mean) PLAIN(
                                                                                        var, var) PLAIN(std, std)
                                                                                        PLAIN(norm1,
                                                                                              norm1) PLAIN(norm2, norm2)
                                                                                            PLAIN(norm_inf, norm_inf)
                                                                                                PLAIN(norm, norm) PLAIN(
                                                                                                    logsumexp,
                                                                                                    logsumexp)
                                                                                                    PLAIN(argmin,
                                                                                                          argmin)
                                                                                                        PLAIN(argmax,
                                                                                                              argmax)
                                                                                                            PLAIN(fused,
                                                                                                                  fused)
    /* images */
    PLAIN(conv1d, conv1d) PLAIN(conv2d, conv2d) PLAIN(conv3d, conv3d) PLAIN(conv_transpose1d, conv_transpose1d) PLAIN(
        conv_transpose2d, conv_transpose2d) PLAIN(max_pool, max_pool) PLAIN(avg_pool, avg_pool) PLAIN(lp_pool, lp_pool)
        PLAIN(adaptive_avg_pool, adaptive_avg_pool) PLAIN(adaptive_max_pool, adaptive_max_pool)
            PLAIN(global_avg_pool, global_avg_pool) PLAIN(global_max_pool, global_max_pool)
                PLAIN(resize_nearest, resize_nearest) PLAIN(resize_linear, resize_linear)
                    PLAIN(pixel_shuffle, pixel_shuffle) PLAIN(pixel_unshuffle, pixel_unshuffle)};

const tsr__cuda_op *tsr__cuda_op_find(const char *name) {
  for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
    if (strcmp(ops[i].name, name) == 0) return &ops[i];
  return NULL;
}
