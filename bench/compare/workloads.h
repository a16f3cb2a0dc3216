/* The workloads: name, group, elements, bytes read, bytes written. The bytes are what the work cannot do without; they
 * make the limit (0 and 0: there is none). Those that arithmetic bounds: name, group, elements of the result, operations
 * (a multiplication and an addition are two) and the kind of number they are done on, which make the limit. Everything is
 * f32 unless the name says otherwise. */
#ifndef BENCH_WORKLOADS_H
#define BENCH_WORKLOADS_H

#define N_1K INT64_C(1000)
#define N_100K INT64_C(100000)
#define N_1M INT64_C(1048576)
#define N_256K INT64_C(262144)
#define N_16M INT64_C(16777216)
#define N_32M INT64_C(33554432)
#define N_128M INT64_C(134217728)
#define N_IMAGES (INT64_C(8) * 64 * 56 * 56)
#define N_PADDED (INT64_C(8) * 64 * 58 * 58)
#define N_3D (INT64_C(64) * 128 * 256)
#define N_4M (INT64_C(2048) * 2048)
#define N_BLOCK (INT64_C(2000) * 2000)
#define N_WORDS (INT64_C(64) * 50257)
#define N_POOL (INT64_C(64) * 112 * 112)
#define N_POOLED (INT64_C(64) * 56 * 56)
#define N_CACHE (INT64_C(8) * 4096 * 128)
#define N_CACHES (INT64_C(8) * 16 * 1024 * 64)

#define WORKLOADS(X)                                                                                              \
  X(add_1k, "binary", N_1K, 8 * N_1K, 4 * N_1K) /* a + b */                                                       \
  X(add_100k, "binary", N_100K, 8 * N_100K, 4 * N_100K)                                                           \
  X(add_16M, "binary", N_16M, 8 * N_16M, 4 * N_16M)                                                               \
  X(add_16M_fresh, "binary", N_16M, 8 * N_16M, 4 * N_16M)     /* the output allocated and freed */                \
  X(bcast_row, "binary", N_1M, 4 * N_1M, 4 * N_1M)            /* [1024,1024] + [1024] */                          \
  X(bcast_col, "binary", N_1M, 4 * N_1M, 4 * N_1M)            /* [1024,1024] + [1024,1] */                        \
  X(bcast_3d, "binary", N_3D, 4 * (64 + 128) * 256, 4 * N_3D) /* [64,1,256] + [1,128,256] */                      \
  X(addT_2048, "binary", N_4M, 8 * N_4M, 4 * N_4M)            /* [2048,2048] + transposed [2048,2048] */          \
  X(exp_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                                    \
  X(tanh_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                                   \
  X(gelu_erf_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                               \
  X(gelu_tanh_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                              \
  X(sigmoid_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                                \
  X(relu_1M, "unary", N_1M, 4 * N_1M, 4 * N_1M)                                                                   \
  X(exp_1M_f64, "unary", N_1M, 8 * N_1M, 8 * N_1M)                                                                \
  X(log_1M_f64, "unary", N_1M, 8 * N_1M, 8 * N_1M) /* of 0.5 to 8.5 */                                            \
  X(sin_1M_f64, "unary", N_1M, 8 * N_1M, 8 * N_1M)                                                                \
  X(tanh_1M_f64, "unary", N_1M, 8 * N_1M, 8 * N_1M)                                                               \
  X(pow_1M, "binary", N_1M, 8 * N_1M, 4 * N_1M) /* 0 to 255 to the power -3 to 5 */                               \
  X(atan2_1M, "binary", N_1M, 8 * N_1M, 4 * N_1M)                                                                 \
  X(sum_16M, "reduce", N_16M, 4 * N_16M, 0) /* over everything */                                                 \
  X(sum_ax0, "reduce", N_16M, 4 * N_16M, 0) /* [4096,4096] over axis 0: a number a column */                      \
  X(sum_ax1, "reduce", N_16M, 4 * N_16M, 0)                                                                       \
  X(max_ax0, "reduce", N_16M, 4 * N_16M, 0)                                                                       \
  X(max_ax1, "reduce", N_16M, 4 * N_16M, 0)                                                                       \
  X(argmax_ax0, "reduce", N_16M, 4 * N_16M, 0) /* indices are 64-bit */                                           \
  X(argmax_ax1, "reduce", N_16M, 4 * N_16M, 0)                                                                    \
  X(argmax_16M, "reduce", N_16M, 4 * N_16M, 0)                                                                    \
  X(transpose_4096, "movement", N_16M, 4 * N_16M, 4 * N_16M)                                                      \
  X(perm_nchw2nhwc, "movement", N_IMAGES, 4 * N_IMAGES, 4 * N_IMAGES) /* [8,64,56,56] to [8,56,56,64] */          \
  X(perm_nhwc2nchw, "movement", N_IMAGES, 4 * N_IMAGES, 4 * N_IMAGES)                                             \
  X(cast_f16, "movement", N_16M, 4 * N_16M, 2 * N_16M) /* from f32 */                                             \
  X(cast_bf16, "movement", N_16M, 4 * N_16M, 2 * N_16M)                                                           \
  X(cast_u8, "movement", N_16M, 4 * N_16M, N_16M)                                                                 \
  X(cast_f16_to_f32, "movement", N_16M, 2 * N_16M, 4 * N_16M)                                                     \
  X(cast_bf16_to_f32, "movement", N_16M, 2 * N_16M, 4 * N_16M)                                                    \
  X(cast_u8_to_f32, "movement", N_16M, N_16M, 4 * N_16M)                                                          \
  X(slice_cols2, "movement", N_16M / 2, 4 * N_16M, 2 * N_16M)   /* [4096,4096], [:, ::2]: whole lines are read */ \
  X(slice_block, "movement", N_BLOCK, 4 * N_BLOCK, 4 * N_BLOCK) /* [4096,4096], [1000:3000, 1000:3000] */         \
  X(concat_ax0, "movement", 2 * N_4M, 8 * N_4M, 8 * N_4M)       /* two of [2048,2048] */                          \
  X(concat_ax1, "movement", 2 * N_4M, 8 * N_4M, 8 * N_4M)                                                         \
  X(pad_1, "movement", N_PADDED, 4 * N_IMAGES, 4 * N_PADDED) /* [8,64,56,56] to [8,64,58,58], zeros around */     \
  X(sort_1M, "sort", N_1M, 4 * N_1M, 4 * N_1M)                                                                    \
  X(sort_1M_i32, "sort", N_1M, 4 * N_1M, 4 * N_1M)                                                                \
  X(sort_rows, "sort", N_1M, 4 * N_1M, 4 * N_1M) /* the rows of [1024,1024] */                                    \
  X(sort_rows_i32, "sort", N_1M, 4 * N_1M, 4 * N_1M)                                                              \
  X(argsort_1M, "sort", N_1M, 4 * N_1M, 8 * N_1M) /* indices are 64-bit */                                        \
  X(argsort_1M_i32, "sort", N_1M, 4 * N_1M, 8 * N_1M)                                                             \
  X(argsort_rows, "sort", N_1M, 4 * N_1M, 8 * N_1M)                                                               \
  X(argsort_rows_i32, "sort", N_1M, 4 * N_1M, 8 * N_1M)                                                           \
  X(sort_1M_f64, "sort", N_1M, 8 * N_1M, 8 * N_1M)                                                                \
  X(sort_1M_i64, "sort", N_1M, 8 * N_1M, 8 * N_1M)                                                                \
  X(sort_falling, "sort", N_1M, 4 * N_1M, 4 * N_1M) /* f32, greatest first */                                     \
  X(sort_few, "sort", N_1M, 4 * N_1M, 4 * N_1M)     /* f32, ten values */                                         \
  X(sort_8, "sort", N_1M, 4 * N_1M, 4 * N_1M)       /* [131072,8] */                                              \
  X(argsort_8, "sort", N_1M, 4 * N_1M, 8 * N_1M)                                                                  \
  X(argsort_1M_f64, "sort", N_1M, 8 * N_1M, 8 * N_1M)                                                             \
  X(median_1M, "sort", N_1M, 4 * N_1M, 4)                                                                         \
  X(median_8, "sort", N_1M, 4 * N_1M, N_1M / 2)                                                                   \
  X(topk_100_1M, "sort", N_1M, 4 * N_1M, 1200)                /* greatest first, and their indices */             \
  X(unique_1M, "sort", N_1M, 4 * N_1M, 4 * 65521)             /* of which 65522 are different */                  \
  X(searchsorted_1M, "sort", N_1M, 8 * N_1M, 8 * N_1M)        /* each of 1 M in 1 M */                            \
  X(histogram_16M, "sort", N_16M, 4 * N_16M, 800)             /* 100 bins from -3 to 5 */                         \
  X(nonzero_16M, "index", N_16M, 4 * N_16M, 8 * (N_16M / 10)) /* a tenth is not 0; indices are 64-bit */          \
  X(masked_select_16M, "index", N_16M, N_16M + 4 * (N_16M / 10), 4 * (N_16M / 10)) /* a tenth */                  \
  X(scatter_add_1M, "index", N_1M, 12 * N_1M, 4 * 10000) /* into 10,000, in order; indices are 64-bit */          \
  X(cumsum_16M, "reduce", N_16M, 4 * N_16M, 4 * N_16M)                                                            \
  X(cumsum_ax0, "reduce", N_16M, 4 * N_16M, 4 * N_16M) /* [4096,4096] */                                          \
  X(cumsum_ax1, "reduce", N_16M, 4 * N_16M, 4 * N_16M)                                                            \
  X(gemv_4096, "product", 4096, 4 * N_16M, 4 * 4096)    /* [4096] x [4096,4096] */                                \
  X(gemv_4096_wT, "product", 4096, 4 * N_16M, 4 * 4096) /* [4096,4096] x [4096] */                                \
  X(softmax_1024, "nn", N_1M, 4 * N_1M, 4 * N_1M)       /* over the rows of [1024,1024] */                        \
  X(softmax_64x50257, "nn", N_WORDS, 4 * N_WORDS, 4 * N_WORDS)                                                    \
  X(layernorm_1024, "nn", N_1M, 4 * N_1M, 4 * N_1M)    /* with scale and offset */                                \
  X(maxpool, "nn", N_POOLED, 4 * N_POOL, 4 * N_POOLED) /* [1,64,112,112], 3 by 3, stride 2, padded by 1 */        \
  X(maxpool_nhwc, "nn", N_POOLED, 4 * N_POOL, 4 * N_POOLED)                                                       \
  X(attn_decode_gqa, "nn", 32 * 128, 8 * N_CACHE, 0)  /* [1,32,1,128], 4096 keys and values of 8 heads */         \
  X(attn_decode, "nn", 8 * 16 * 64, 8 * N_CACHES, 0)  /* [8,16,1,64], 1024 keys and values a head */              \
  X(st_open_1G, "open", 32, 0, 0)                     /* safetensors of 1 GB: open, describe one tensor */        \
  X(st_list_10k, "open", 10000, 0, 0)                 /* one of 10,000 tensors: open, a view of each */           \
  X(npy_map_1M, "open", N_256K, 0, 0)                 /* a mapped .npy of 1 MB: open */                           \
  X(npy_map_512M, "open", N_128M, 0, 0)               /* and of 512 MB */                                         \
  X(npy_read_128M, "io", N_32M, 4 * N_32M, 4 * N_32M) /* .npy into memory of its own */                           \
  X(npz_inflate_16M, "io", N_4M, 0, 0)                /* a deflated .npz */                                       \
  X(add4_given, "overhead", 4, 0, 0)                  /* [4] + [4] into a given output */                         \
  X(add4_fresh, "overhead", 4, 0, 0)                  /* the same, the output allocated and freed */              \
  X(new_free_4, "overhead", 4, 0, 0)                  /* [4] allocated and freed */                               \
  X(view, "overhead", 4, 0, 0)                        /* [4] seen as [2,2] */                                     \
  FUSED(X)

/* Expressions as one call each, where a contestant can: of [20,50], [200,500] and [4096,4096]. m and s are of a number a row, v
 * of a number a column. _f64: in f64. _f16: a and b are f16, c is f32. _bcast: b is of a number a column. _strided: every
 * other column of a and b. */
#define FUSED_ROW(X, name, read, written)                                \
  X(fuse_##name##_1k, "fuse", N_1K, (read)*N_1K, (written)*N_1K)         \
  X(fuse_##name##_100k, "fuse", N_100K, (read)*N_100K, (written)*N_100K) \
  X(fuse_##name##_16M, "fuse", N_16M, (read)*N_16M, (written)*N_16M)
#define FUSED(X)                                                      \
  FUSED_ROW(X, lin, 8, 4)     /* 2a + 3b */                           \
  FUSED_ROW(X, muladd, 12, 4) /* ab + c */                            \
  FUSED_ROW(X, gelu, 12, 4)   /* gelu(ab + c) */                      \
  FUSED_ROW(X, trig, 4, 4)    /* sin(a)**2 + cos(a)**2 */             \
  FUSED_ROW(X, ssd, 8, 0)     /* sum((a - b)**2) */                   \
  FUSED_ROW(X, ssd_ax0, 8, 0) /* over axis 0 */                       \
  FUSED_ROW(X, ssd_ax1, 8, 0)                                         \
  FUSED_ROW(X, where, 4, 4)   /* where(a > 0, a, 0.1 a) */            \
  FUSED_ROW(X, clip, 4, 4)    /* clip((a - m) / s, -3, 3) */          \
  FUSED_ROW(X, softmax, 4, 4) /* softmax(0.125 a + v, axis 1) */      \
  FUSED_ROW(X, chain, 12, 4)  /* 12 calls; expressions.py has them */ \
  X(fuse_lin_100k_f64, "fuse", N_100K, 16 * N_100K, 8 * N_100K)       \
  X(fuse_lin_16M_f64, "fuse", N_16M, 16 * N_16M, 8 * N_16M)           \
  X(fuse_chain_100k_f64, "fuse", N_100K, 24 * N_100K, 8 * N_100K)     \
  X(fuse_trig_100k_f64, "fuse", N_100K, 8 * N_100K, 8 * N_100K)       \
  X(fuse_ssd_100k_f64, "fuse", N_100K, 16 * N_100K, 0)                \
  X(fuse_muladd_100k_f16, "fuse", N_100K, 8 * N_100K, 4 * N_100K)     \
  X(fuse_muladd_16M_f16, "fuse", N_16M, 8 * N_16M, 4 * N_16M)         \
  X(fuse_lin_100k_bcast, "fuse", N_100K, 4 * N_100K, 4 * N_100K)      \
  X(fuse_lin_16M_bcast, "fuse", N_16M, 4 * N_16M, 4 * N_16M)          \
  X(fuse_lin_100k_strided, "fuse", N_100K, 16 * N_100K, 4 * N_100K)   \
  X(fuse_lin_16M_strided, "fuse", N_16M, 16 * N_16M, 4 * N_16M) /* whole lines are read */

/* 5·n·log2 n operations, what a transform of radix 2 takes. */
#define TRANSFORM(n, log2) (INT64_C(5) * (n) * (log2))
#define MULTIPLY(m, k, n) (INT64_C(2) * (m) * (k) * (n))
#define CONVOLVE(outputs, taps) (INT64_C(2) * (outputs) * (taps))

/* _packed: the second matrix, the weights, may be prepared before the clock runs; so may those of every convolution,
 * whose images are in the layout that is best for each contestant, and channels last where the name says nhwc. */
#define COMPUTED(X)                                                                                                 \
  X(sgemm_64, "product", 64 * 64, MULTIPLY(64, 64, 64), "f32")                                                      \
  X(sgemm_256, "product", 256 * 256, MULTIPLY(256, 256, 256), "f32")                                                \
  X(sgemm_1024, "product", N_1M, MULTIPLY(1024, 1024, 1024), "f32")                                                 \
  X(sgemm_2048, "product", N_4M, MULTIPLY(2048, 2048, 2048), "f32")                                                 \
  X(sgemm_256_packed, "product", 256 * 256, MULTIPLY(256, 256, 256), "f32")                                         \
  X(sgemm_1024_packed, "product", N_1M, MULTIPLY(1024, 1024, 1024), "f32")                                          \
  X(sgemm_2048_packed, "product", N_4M, MULTIPLY(2048, 2048, 2048), "f32")                                          \
  X(dgemm_1024, "product", N_1M, MULTIPLY(1024, 1024, 1024), "f64")                                                 \
  X(gemm_32x4096, "product", 32 * 4096, MULTIPLY(32, 4096, 4096), "f32")                                            \
  X(gemm_32x4096_wT, "product", 32 * 4096, MULTIPLY(32, 4096, 4096), "f32") /* the weights transposed */            \
  X(gemm_32x4096_packed, "product", 32 * 4096, MULTIPLY(32, 4096, 4096), "f32")                                     \
  X(bmm_64, "product", N_1M, 64 * MULTIPLY(128, 64, 128), "f32")                    /* 64 of [128,64] x [64,128] */ \
  X(einsum_bij_bjk, "product", 32 * 128 * 128, 32 * MULTIPLY(128, 128, 128), "f32") /* bij,bjk->bik */              \
  X(einsum_ij_kj, "product", N_1M, MULTIPLY(1024, 1024, 1024), "f32")               /* ij,kj->ik */                 \
  X(einsum_bhqd_bhkd, "product", INT64_C(128) * 128 * 128, 128 * MULTIPLY(128, 64, 128), "f32") /* [8,16,128,64] */ \
  X(int8gemm_1024, "product", N_1M, MULTIPLY(1024, 1024, 1024), "i8")               /* u8 x i8 to i32, packed */    \
  X(bf16gemm_1024, "product", N_1M, MULTIPLY(1024, 1024, 1024), "bf16")             /* to f32 or bf16, packed */    \
  X(qmatmul_1024, "product", N_1M, MULTIPLY(1024, 1024, 1024), "i8")                /* u8 x i8 to u8, packed */     \
  X(qconv3_64, "conv", INT64_C(64) * 56 * 56, CONVOLVE(64 * 56 * 56, 64 * 9), "i8") /* u8 x i8 to u8 */             \
  X(qconv1x1, "conv", INT64_C(64) * 56 * 56, CONVOLVE(64 * 56 * 56, 256), "i8")                                     \
  X(qconvdw3, "conv", INT64_C(32) * 112 * 112, CONVOLVE(32 * 112 * 112, 9), "i8")                                   \
  X(conv7s2, "conv", INT64_C(64) * 112 * 112, CONVOLVE(64 * 112 * 112, 3 * 49), "f32") /* [1,3,224,224] */          \
  X(conv3_64, "conv", INT64_C(64) * 56 * 56, CONVOLVE(64 * 56 * 56, 64 * 9), "f32")    /* padded by 1 */            \
  X(conv3_256, "conv", INT64_C(256) * 14 * 14, CONVOLVE(256 * 14 * 14, 256 * 9), "f32")                             \
  X(conv1x1, "conv", INT64_C(512) * 28 * 28, CONVOLVE(512 * 28 * 28, 128), "f32")                                   \
  X(convdw3, "conv", INT64_C(32) * 112 * 112, CONVOLVE(32 * 112 * 112, 9), "f32")   /* depthwise */                 \
  X(conv1d, "conv", INT64_C(8) * 64 * 1024, CONVOLVE(8 * 64 * 1024, 64 * 5), "f32") /* padded by 2 */               \
  X(conv3_64_nhwc, "conv", INT64_C(64) * 56 * 56, CONVOLVE(64 * 56 * 56, 64 * 9), "f32")                            \
  X(attn, "nn", INT64_C(8) * 512 * 64, 8 * 2 * MULTIPLY(512, 64, 512), "f32") /* [1,8,512,64] */                    \
  X(fft_256, "fft", 256, TRANSFORM(256, 8), "f32")                                                                  \
  X(fft_1024, "fft", 1024, TRANSFORM(1024, 10), "f32")                                                              \
  X(fft_4096, "fft", 4096, TRANSFORM(4096, 12), "f32")                                                              \
  X(fft_16384, "fft", 16384, TRANSFORM(16384, 14), "f32")                                                           \
  X(fft_65536, "fft", 65536, TRANSFORM(65536, 16), "f32")                                                           \
  X(fft_1048576, "fft", 1048576, TRANSFORM(1048576, 20), "f32")                                                     \
  X(fft_1000, "fft", 1000, TRANSFORM(1000, 10), "f32")                                                              \
  X(fft_9973, "fft", 9973, TRANSFORM(9973, 13), "f32")                                                              \
  X(fft_44100, "fft", 44100, TRANSFORM(44100, 15), "f32")                                                           \
  X(fft_1024_f64, "fft", 1024, TRANSFORM(1024, 10), "f64")                                                          \
  X(fft_65536_f64, "fft", 65536, TRANSFORM(65536, 16), "f64")                                                       \
  X(rfft_1024, "fft", 1024, TRANSFORM(512, 9), "f32")                                                               \
  X(rfft_65536, "fft", 65536, TRANSFORM(32768, 15), "f32")                                                          \
  X(fft_rows_256, "fft", N_1M, TRANSFORM(N_1M, 8), "f32")    /* [4096,256] */                                       \
  X(fft_columns_256, "fft", N_1M, TRANSFORM(N_1M, 8), "f32") /* [256,4096] along axis 0 */                          \
  X(fft2_512, "fft", 512 * 512, TRANSFORM(512 * 512, 18), "f32")

#endif
