/* What prepares ops: a function a way of computing. Each is a tsr__cuda_op's prepare. */
#ifndef TSR_CUDA_ENGINES_H
#define TSR_CUDA_ENGINES_H

#include "cuda/engines/elements.h"

#define TSR__CUDA_ENGINE(name) \
  tsr_status tsr__cuda_##name(tsr__cuda *gpu, const tsr__cuda_op *op, const tsr_work *work, tsr__cuda_plan *plan);

/* elementwise.c */
TSR__CUDA_ENGINE(elementwise)           /* a line over the inputs */
TSR__CUDA_ENGINE(elementwise_attribute) /* and one attribute */
TSR__CUDA_ENGINE(with_real) /* with a number: of the tensor's dtype, of its float, a whole one; and on the left */
TSR__CUDA_ENGINE(with_float)
TSR__CUDA_ENGINE(with_i64)
TSR__CUDA_ENGINE(real_with)
TSR__CUDA_ENGINE(float_with)
TSR__CUDA_ENGINE(i64_with)
TSR__CUDA_ENGINE(clamp)
TSR__CUDA_ENGINE(addcmul)
TSR__CUDA_ENGINE(lerp_scalar)
TSR__CUDA_ENGINE(where)
TSR__CUDA_ENGINE(masked_fill)

/* create.c */
TSR__CUDA_ENGINE(nothing)
TSR__CUDA_ENGINE(zeros)
TSR__CUDA_ENGINE(ones)
TSR__CUDA_ENGINE(full)
TSR__CUDA_ENGINE(full_like)
TSR__CUDA_ENGINE(fill)
TSR__CUDA_ENGINE(fill_i64)
TSR__CUDA_ENGINE(full_complex)
TSR__CUDA_ENGINE(fill_complex)
TSR__CUDA_ENGINE(arange)
TSR__CUDA_ENGINE(arange_i64)
TSR__CUDA_ENGINE(linspace)
TSR__CUDA_ENGINE(eye)

/* copy.c */
TSR__CUDA_ENGINE(copy)
TSR__CUDA_ENGINE(reshape)
TSR__CUDA_ENGINE(reshape_ordered)
TSR__CUDA_ENGINE(flatten)
TSR__CUDA_ENGINE(to_layout)

/* reduce_ops.c */
TSR__CUDA_ENGINE(sum)
TSR__CUDA_ENGINE(prod)
TSR__CUDA_ENGINE(min)
TSR__CUDA_ENGINE(max)
TSR__CUDA_ENGINE(any)
TSR__CUDA_ENGINE(all)
TSR__CUDA_ENGINE(count_nonzero)
TSR__CUDA_ENGINE(mean)
TSR__CUDA_ENGINE(var)
TSR__CUDA_ENGINE(std)
TSR__CUDA_ENGINE(norm1)
TSR__CUDA_ENGINE(norm2)
TSR__CUDA_ENGINE(norm_inf)
TSR__CUDA_ENGINE(norm)
TSR__CUDA_ENGINE(logsumexp)
TSR__CUDA_ENGINE(argmin)
TSR__CUDA_ENGINE(argmax)

/* rows.c */
TSR__CUDA_ENGINE(softmax)
TSR__CUDA_ENGINE(log_softmax)
TSR__CUDA_ENGINE(layer_norm)
TSR__CUDA_ENGINE(rms_norm)
TSR__CUDA_ENGINE(group_norm)
TSR__CUDA_ENGINE(instance_norm)
TSR__CUDA_ENGINE(batch_norm)

/* move.c */
TSR__CUDA_ENGINE(concat)
TSR__CUDA_ENGINE(stack)
TSR__CUDA_ENGINE(repeat)
TSR__CUDA_ENGINE(tile)
TSR__CUDA_ENGINE(roll)
TSR__CUDA_ENGINE(tril)
TSR__CUDA_ENGINE(triu)
TSR__CUDA_ENGINE(one_hot)
TSR__CUDA_ENGINE(take)
TSR__CUDA_ENGINE(gather)
TSR__CUDA_ENGINE(embedding)
TSR__CUDA_ENGINE(pad)
TSR__CUDA_ENGINE(pad_2d)

/* random.c */
TSR__CUDA_ENGINE(rand_uniform)
TSR__CUDA_ENGINE(rand_normal)
TSR__CUDA_ENGINE(rand_normal_scaled)
TSR__CUDA_ENGINE(rand_integers)
TSR__CUDA_ENGINE(rand_bernoulli)
TSR__CUDA_ENGINE(dropout)

/* product.c */
TSR__CUDA_ENGINE(matmul)
TSR__CUDA_ENGINE(gemm)
TSR__CUDA_ENGINE(dense)
TSR__CUDA_ENGINE(outer)

/* einsum.c */
TSR__CUDA_ENGINE(einsum)
TSR__CUDA_ENGINE(tensordot)
TSR__CUDA_ENGINE(inner)
TSR__CUDA_ENGINE(kron)
TSR__CUDA_ENGINE(vdot)
TSR__CUDA_ENGINE(trace)

/* cross.c */
TSR__CUDA_ENGINE(cross)

/* reduce_where.c */
TSR__CUDA_ENGINE(selected)
TSR__CUDA_ENGINE(mean_where)
TSR__CUDA_ENGINE(var_where)
TSR__CUDA_ENGINE(std_where)

/* loss.c, rotary.c */
TSR__CUDA_ENGINE(mse_loss)
TSR__CUDA_ENGINE(mae_loss)
TSR__CUDA_ENGINE(bce_logits_loss)
TSR__CUDA_ENGINE(bce_loss)
TSR__CUDA_ENGINE(huber_loss)
TSR__CUDA_ENGINE(kl_loss)
TSR__CUDA_ENGINE(rotary)

/* attention.c */
TSR__CUDA_ENGINE(attention)
TSR__CUDA_ENGINE(kv_append)
TSR__CUDA_ENGINE(multi_head_attention)

/* frequencies.c, tables.c, scores.c */
TSR__CUDA_ENGINE(fftfreq)
TSR__CUDA_ENGINE(rfftfreq)
TSR__CUDA_ENGINE(fftshift)
TSR__CUDA_ENGINE(ifftshift)
TSR__CUDA_ENGINE(window)
TSR__CUDA_ENGINE(rotary_tables)
TSR__CUDA_ENGINE(accuracy)
TSR__CUDA_ENGINE(confusion_matrix)

/* fused.c */
TSR__CUDA_ENGINE(fused)

/* loss_class.c */
TSR__CUDA_ENGINE(nll_loss)
TSR__CUDA_ENGINE(cross_entropy)

/* sort.c */
TSR__CUDA_ENGINE(sort)
TSR__CUDA_ENGINE(argsort)

/* select.c */
TSR__CUDA_ENGINE(topk)
TSR__CUDA_ENGINE(partition)
TSR__CUDA_ENGINE(argpartition)
TSR__CUDA_ENGINE(quantile)
TSR__CUDA_ENGINE(quantiles)
TSR__CUDA_ENGINE(nanquantile)
TSR__CUDA_ENGINE(median)
TSR__CUDA_ENGINE(nanmedian)

/* unique.c */
TSR__CUDA_ENGINE(unique)

/* scatter.c */
TSR__CUDA_ENGINE(scatter)
TSR__CUDA_ENGINE(put)
TSR__CUDA_ENGINE(index_add)
TSR__CUDA_ENGINE(scatter_nd)
TSR__CUDA_ENGINE(gather_nd)

/* cumulative.c */
TSR__CUDA_ENGINE(cumsum)
TSR__CUDA_ENGINE(cumprod)
TSR__CUDA_ENGINE(cummin)
TSR__CUDA_ENGINE(cummax)

/* mask.c */
TSR__CUDA_ENGINE(nonzero)
TSR__CUDA_ENGINE(masked_select)
TSR__CUDA_ENGINE(masked_scatter)
TSR__CUDA_ENGINE(nonzero_within)
TSR__CUDA_ENGINE(masked_select_within)

/* count.c */
TSR__CUDA_ENGINE(histogram)
TSR__CUDA_ENGINE(bincount)

/* search.c */
TSR__CUDA_ENGINE(searchsorted)
TSR__CUDA_ENGINE(interp)

/* series.c */
TSR__CUDA_ENGINE(diff)
TSR__CUDA_ENGINE(central_diff)
TSR__CUDA_ENGINE(convolve)
TSR__CUDA_ENGINE(correlate)

/* conv.c */
TSR__CUDA_ENGINE(conv1d)
TSR__CUDA_ENGINE(conv2d)
TSR__CUDA_ENGINE(conv3d)
TSR__CUDA_ENGINE(conv_transpose1d)
TSR__CUDA_ENGINE(conv_transpose2d)

/* pool.c */
TSR__CUDA_ENGINE(max_pool)
TSR__CUDA_ENGINE(avg_pool)
TSR__CUDA_ENGINE(lp_pool)
TSR__CUDA_ENGINE(adaptive_avg_pool)
TSR__CUDA_ENGINE(adaptive_max_pool)
TSR__CUDA_ENGINE(global_avg_pool)
TSR__CUDA_ENGINE(global_max_pool)

/* resize.c */
TSR__CUDA_ENGINE(resize_nearest)
TSR__CUDA_ENGINE(resize_linear)
TSR__CUDA_ENGINE(pixel_shuffle)
TSR__CUDA_ENGINE(pixel_unshuffle)

#endif
