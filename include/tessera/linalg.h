/** @file linalg.h
 *  Linear algebra on stacks of matrices: systems of equations, inverses, determinants, factorisations.
 *
 *  Shapes. The last two axes are a matrix, the axes before them a stack of matrices, any number of them: [..., N, N]. The
 *  stacks of two inputs broadcast. Right sides b are [..., N, K], or [N]: one vector for the whole stack. Matrices without
 *  rows and stacks without matrices are fine; the determinant of a 0×0 matrix is 1.
 *
 *  Dtypes. The inputs promote (tsr_dtype_promote); bool and integers become floats as in tsr_sqrt. f32 and f64 are computed
 *  in themselves, c64 and c128 as well, f16, bf16 and f8 in f32, rounded once at the end. Of complex matrices the adjoint Aᴴ (transposed
 *  and conjugated) stands where Aᵀ does for real ones, and lengths, norms, singular values and the eigenvalues of Hermitian matrices
 *  are real: f32 of c64, f64 of c128. Builds without malloc refuse complex numbers (TSR_EDTYPE).
 *
 *  A matrix that has no result is a status: TSR_ESINGULAR, TSR_ENOTPOSITIVE, TSR_ECONVERGENCE. The message names the first
 *  such matrix of the stack and its pivot; no output has changed then, nor one of another matrix. To keep that, an output
 *  that is given is written from a copy, which is temporary memory as large as itself; one that is empty needs none.
 *  NaN is no failure where it is no failure of the mathematics: it comes out again.
 *
 *  Accuracy. Backward stable algorithms: partial pivoting, Householder's reflections, Jacobi's rotations. The results are
 *  those of a matrix that differs from the given one by a small multiple of n·ε·‖A‖.
 *
 *  The same bits for the same call with any number of threads, strides and neighbours in the stack, on one instruction set
 *  (class C, as products are), but where LAPACK computes (tsr_lapack_set). Real matrices with sides up to 16 are computed many at a
 *  time, one in each lane of a vector.
 *
 *  Memory. Copies and blocks come from the context's scratch or its allocator: a dry run says how many bytes. Outputs as in
 *  ops.h: allocated, given, in place, overlapping. */
#ifndef TESSERA_LINALG_H
#define TESSERA_LINALG_H

#include <tessera/tensor.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The lower triangular L with A = L·Lᴴ; upper: Lᴴ. Of a, which must be symmetric (Hermitian), the lower triangle is read, and of its
 *  diagonal the real parts.
 *  TSR_ENOTPOSITIVE where a matrix is not positive definite. */
TSR_API TSR_MUST_USE tsr_status tsr_cholesky(tsr_ctx *ctx, const tsr_tensor *a, bool upper, tsr_tensor *out);

/** P·A = L·U with partial pivoting (complex numbers by |re| + |im|), of square matrices: lu has U in its upper triangle, and L, whose diagonal is 1, below it;
 *  pivots [..., N] (the dtype of indices) are the rows that changed places with row 0, 1, …, one after the other. A singular
 *  matrix has factors too: a 0 on the diagonal of U. */
TSR_API TSR_MUST_USE tsr_status tsr_lu_factor(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *lu, tsr_tensor *pivots);

/** X of A·X = B, with the factors of A that tsr_lu_factor made. A pivot that is no row below its own changes nothing. */
TSR_API TSR_MUST_USE tsr_status tsr_lu_solve(tsr_ctx *ctx, const tsr_tensor *lu, const tsr_tensor *pivots,
                                             const tsr_tensor *b, tsr_tensor *out);

/** X of A·X = B. TSR_ESINGULAR where a pivot is 0; a matrix that is nearly singular gives what rounding leaves. */
TSR_API TSR_MUST_USE tsr_status tsr_solve(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_tensor *out);

/** X of T·X = B, T the lower (upper: the upper) triangle of a; transposed: of Tᵀ·X = B, which conjugates nothing (Tᴴ: that of tsr_conj of a); unit_diagonal: with 1 on its diagonal,
 *  which is not read. TSR_ESINGULAR where the diagonal has a 0. */
TSR_API TSR_MUST_USE tsr_status tsr_solve_triangular(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, bool upper,
                                                     bool transposed, bool unit_diagonal, tsr_tensor *out);

/** The inverse. TSR_ESINGULAR as tsr_solve, which is quicker and more accurate where the inverse is only multiplied by. */
TSR_API TSR_MUST_USE tsr_status tsr_inv(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out);

/** The determinant: [...]. 0 of a singular matrix; it overflows and underflows where tsr_slogdet does not. */
TSR_API TSR_MUST_USE tsr_status tsr_det(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out);

/** The determinant as sign (1, -1, or 0; of complex matrices a number of length 1, or 0) and the logarithm of its size: -inf where the
 *  matrix is singular. */
TSR_API TSR_MUST_USE tsr_status tsr_slogdet(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *sign, tsr_tensor *logabsdet);

/** A = Q·R, Q with orthonormal columns, R upper triangular: of A [..., M, N] and K = min(M, N), Q is [..., M, K] and R
 *  [..., K, N]; complete: Q [..., M, M], R [..., M, N]. Signs are as reflections leave them; the diagonal of R is real. Either output may be NULL, and then
 *  is not computed. */
TSR_API TSR_MUST_USE tsr_status tsr_qr(tsr_ctx *ctx, const tsr_tensor *a, bool complete, tsr_tensor *q, tsr_tensor *r);

/** Eigenvalues [..., N] of symmetric (Hermitian) matrices, the smallest first, and their vectors, the columns of vectors [..., N, N]:
 *  A·V = V·diag(values). Of a the lower triangle is read; upper: the upper one. TSR_ECONVERGENCE where they do not converge,
 *  which is not known to happen with finite numbers. */
TSR_API TSR_MUST_USE tsr_status tsr_eigh(tsr_ctx *ctx, const tsr_tensor *a, bool upper, tsr_tensor *values,
                                         tsr_tensor *vectors);

/** The eigenvalues of tsr_eigh without their vectors. */
TSR_API TSR_MUST_USE tsr_status tsr_eigvalsh(tsr_ctx *ctx, const tsr_tensor *a, bool upper, tsr_tensor *out);

/** Eigenvalues [..., N] of square matrices that need not be symmetric, and their vectors, the columns of vectors [..., N, N]:
 *  A·V = V·diag(values). Both are complex: c64 of what is computed in f32, c128 of f64. Eigenvalues have no order, but of a
 *  conjugated pair that a real matrix has the one with the positive imaginary part is first, and its vector conjugated is the other's. Vectors have
 *  length 1, and their largest element is real. A matrix without as many independent vectors as rows (a defective one) gives
 *  vectors that are nearly parallel. TSR_ECONVERGENCE names the matrix whose eigenvalues do not converge, which is not known to
 *  happen with finite numbers. */
TSR_API TSR_MUST_USE tsr_status tsr_eig(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *values, tsr_tensor *vectors);

/** The eigenvalues of tsr_eig without their vectors. */
TSR_API TSR_MUST_USE tsr_status tsr_eigvals(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out);

/** A = U·diag(s)·Vᴴ of [..., M, N], the largest singular value first: with K = min(M, N), u is [..., M, K], s [..., K] and vh, which
 *  is Vᴴ, [..., K, N]; full_matrices: u [..., M, M], vh [..., N, N]. u and vh may be NULL. TSR_ECONVERGENCE as for tsr_eigh. */
TSR_API TSR_MUST_USE tsr_status tsr_svd(tsr_ctx *ctx, const tsr_tensor *a, bool full_matrices, tsr_tensor *u,
                                        tsr_tensor *s, tsr_tensor *vh);

/** The singular values of tsr_svd alone. */
TSR_API TSR_MUST_USE tsr_status tsr_svdvals(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out);

/** The pseudo-inverse [..., N, M]. Singular values that are not above rcond times the largest count as 0; rcond below 0 stands
 *  for max(M, N)·ε. */
TSR_API TSR_MUST_USE tsr_status tsr_pinv(tsr_ctx *ctx, const tsr_tensor *a, tsr_real rcond, tsr_tensor *out);

/** The X [..., N, K] (or [..., N]) for which A·X comes nearest to B, of those the one that is smallest; by singular values, so that
 *  A [..., M, N] may have any shape and rank. rcond as in tsr_pinv; rank [...] (the dtype of indices) and the singular values s
 *  may be NULL. */
TSR_API TSR_MUST_USE tsr_status tsr_lstsq(tsr_ctx *ctx, const tsr_tensor *a, const tsr_tensor *b, tsr_real rcond,
                                          tsr_tensor *x, tsr_tensor *rank, tsr_tensor *s);

/** How many singular values are above rtol times the largest, rtol below 0 for max(M, N)·ε: [...], the dtype of indices. */
TSR_API TSR_MUST_USE tsr_status tsr_matrix_rank(tsr_ctx *ctx, const tsr_tensor *a, tsr_real rtol, tsr_tensor *out);

/** The largest singular value by the smallest: inf where that is 0. */
TSR_API TSR_MUST_USE tsr_status tsr_cond(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out);

/** Which norm of a matrix. */
typedef enum tsr_matrix_norm_kind {
  TSR_MATRIX_NORM_FRO,       /**< the root of the sum of squares */
  TSR_MATRIX_NORM_NUCLEAR,   /**< the sum of the singular values */
  TSR_MATRIX_NORM_1,         /**< the largest sum of sizes in a column */
  TSR_MATRIX_NORM_MINUS_1,   /**< the smallest */
  TSR_MATRIX_NORM_INF,       /**< the largest sum of sizes in a row */
  TSR_MATRIX_NORM_MINUS_INF, /**< the smallest */
  TSR_MATRIX_NORM_2,         /**< the largest singular value */
  TSR_MATRIX_NORM_MINUS_2    /**< the smallest */
} tsr_matrix_norm_kind;

/** A norm of each matrix, a real number: [...]. That of vectors is tsr_norm. Of matrices without elements it is 0. */
TSR_API TSR_MUST_USE tsr_status tsr_matrix_norm(tsr_ctx *ctx, const tsr_tensor *a, tsr_matrix_norm_kind kind,
                                                tsr_tensor *out);

/** A to the power of n, by squaring; n below 0: of the inverse, and TSR_ESINGULAR as tsr_inv. */
TSR_API TSR_MUST_USE tsr_status tsr_matrix_power(tsr_ctx *ctx, const tsr_tensor *a, int64_t n, tsr_tensor *out);

/** The exponential of each square matrix, by scaling, Padé's quotient and squaring. */
TSR_API TSR_MUST_USE tsr_status tsr_expm(tsr_ctx *ctx, const tsr_tensor *a, tsr_tensor *out);

/** When LAPACK computes eigenvalues and singular values, in place of the library's own kernels. */
typedef enum tsr_lapack_use {
  TSR_LAPACK_QUICKER, /**< matrices of sides from which that was measured to be quicker */
  TSR_LAPACK_ALWAYS,  /**< matrices with more than 16 rows and columns */
  TSR_LAPACK_NEVER
} tsr_lapack_use;

/** Calls with ctx use LAPACK so: tsr_eigh, tsr_eig, tsr_svd and their kin. TSR_EUNSUPPORTED for TSR_LAPACK_ALWAYS where none is found.
 *  It is found at run time, once: OpenBLAS, the reference one on whatever BLAS it stands, or the library that the environment
 *  variable TSR_LAPACK names ("none": no LAPACK). tsr_build_info names it from then on. Results agree within the bounds of LAPACK's own tests,
 *  not bit by bit; its threads are its own affair (OPENBLAS_NUM_THREADS). */
TSR_API TSR_MUST_USE tsr_status tsr_lapack_set(tsr_ctx *ctx, tsr_lapack_use use);

/** The LAPACK that is found, by the name that it is loaded by; NULL: none. */
TSR_API const char *tsr_lapack_name(void);

#ifdef __cplusplus
}
#endif

#endif
