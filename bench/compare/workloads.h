/* The workloads: name, group, elements, bytes read, bytes written. The bytes are what the work cannot do without; they
 * make the limit (0 and 0: there is none). Everything is f32 unless the name says otherwise. */
#ifndef BENCH_WORKLOADS_H
#define BENCH_WORKLOADS_H

#define N_1K INT64_C(1000)
#define N_100K INT64_C(100000)
#define N_1M INT64_C(1048576)
#define N_16M INT64_C(16777216)
#define N_IMAGES (INT64_C(8) * 64 * 56 * 56)
#define N_PADDED (INT64_C(8) * 64 * 58 * 58)
#define N_3D (INT64_C(64) * 128 * 256)
#define N_4M (INT64_C(2048) * 2048)
#define N_BLOCK (INT64_C(2000) * 2000)

#define WORKLOADS(X)                                                                                             \
  X(add_1k, "binary", N_1K, 8 * N_1K, 4 * N_1K)             /* a + b */                                          \
  X(add_100k, "binary", N_100K, 8 * N_100K, 4 * N_100K)                                                          \
  X(add_16M, "binary", N_16M, 8 * N_16M, 4 * N_16M)                                                              \
  X(add_16M_fresh, "binary", N_16M, 8 * N_16M, 4 * N_16M)   /* the output allocated and freed */                 \
  X(bcast_row, "binary", N_1M, 4 * N_1M, 4 * N_1M)          /* [1024,1024] + [1024] */                           \
  X(bcast_col, "binary", N_1M, 4 * N_1M, 4 * N_1M)          /* [1024,1024] + [1024,1] */                         \
  X(bcast_3d, "binary", N_3D, 4 * (64 + 128) * 256, 4 * N_3D) /* [64,1,256] + [1,128,256] */                     \
  X(addT_2048, "binary", N_4M, 8 * N_4M, 4 * N_4M)          /* [2048,2048] + transposed [2048,2048] */           \
  X(exp_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                                   \
  X(tanh_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                                  \
  X(gelu_erf_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                              \
  X(gelu_tanh_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                             \
  X(sigmoid_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                               \
  X(relu_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                                  \
  X(sum_16M, "reduce", N_16M, 4 * N_16M, 0)                 /* over everything */                                \
  X(sum_ax0, "reduce", N_16M, 4 * N_16M, 0)                 /* [4096,4096] over axis 0: a number a column */     \
  X(sum_ax1, "reduce", N_16M, 4 * N_16M, 0)                                                                      \
  X(max_ax0, "reduce", N_16M, 4 * N_16M, 0)                                                                      \
  X(max_ax1, "reduce", N_16M, 4 * N_16M, 0)                                                                      \
  X(argmax_ax0, "reduce", N_16M, 4 * N_16M, 0)              /* indices are 64-bit */                             \
  X(argmax_ax1, "reduce", N_16M, 4 * N_16M, 0)                                                                   \
  X(argmax_16M, "reduce", N_16M, 4 * N_16M, 0)                                                                   \
  X(transpose_4096, "movement", N_16M, 4 * N_16M, 4 * N_16M)                                                     \
  X(perm_nchw2nhwc, "movement", N_IMAGES, 4 * N_IMAGES, 4 * N_IMAGES) /* [8,64,56,56] to [8,56,56,64] */         \
  X(perm_nhwc2nchw, "movement", N_IMAGES, 4 * N_IMAGES, 4 * N_IMAGES)                                            \
  X(cast_f16, "movement", N_16M, 4 * N_16M, 2 * N_16M)      /* from f32 */                                       \
  X(cast_bf16, "movement", N_16M, 4 * N_16M, 2 * N_16M)                                                          \
  X(cast_u8, "movement", N_16M, 4 * N_16M, N_16M)                                                                \
  X(cast_f16_to_f32, "movement", N_16M, 2 * N_16M, 4 * N_16M)                                                    \
  X(cast_bf16_to_f32, "movement", N_16M, 2 * N_16M, 4 * N_16M)                                                   \
  X(cast_u8_to_f32, "movement", N_16M, N_16M, 4 * N_16M)                                                         \
  X(slice_cols2, "movement", N_16M / 2, 4 * N_16M, 2 * N_16M) /* [4096,4096], [:, ::2]: whole lines are read */  \
  X(slice_block, "movement", N_BLOCK, 4 * N_BLOCK, 4 * N_BLOCK) /* [4096,4096], [1000:3000, 1000:3000] */        \
  X(concat_ax0, "movement", 2 * N_4M, 8 * N_4M, 8 * N_4M)   /* two of [2048,2048] */                             \
  X(concat_ax1, "movement", 2 * N_4M, 8 * N_4M, 8 * N_4M)                                                        \
  X(pad_1, "movement", N_PADDED, 4 * N_IMAGES, 4 * N_PADDED) /* [8,64,56,56] to [8,64,58,58], zeros around */    \
  X(add4_given, "overhead", 4, 0, 0)                        /* [4] + [4] into a given output */                  \
  X(add4_fresh, "overhead", 4, 0, 0)                        /* the same, the output allocated and freed */       \
  X(new_free_4, "overhead", 4, 0, 0)                        /* [4] allocated and freed */                        \
  X(view, "overhead", 4, 0, 0)                              /* [4] seen as [2,2] */

#endif
