/* LAPACK, where it is installed: eigenvalues and singular values of larger matrices. It is found at run time, the first time that
 * somebody has such a matrix. Matrices are row-major, and every function may be called without memory to count it. */
#ifndef TSR_LINALG_LAPACK_H
#define TSR_LINALG_LAPACK_H

#include "linalg/work.h"

#if TSR_HAVE_PLUGINS && TSR_HAVE_MALLOC && TSR_HAVE_F64 && TSR_HAVE_COMPLEX
#define TSR__HAVE_LAPACK 1
#else
#define TSR__HAVE_LAPACK 0
#endif

/* What is asked for: the side from which it is quicker depends on it. */
typedef enum tsr__lapack_task { TSR__LAPACK_EIGH, TSR__LAPACK_EIG, TSR__LAPACK_SVD } tsr__lapack_task;

#if TSR__HAVE_LAPACK

/* Whether it is used for a matrix with this shorter side. The same for the same context. */
bool tsr__lapack_takes(const tsr__work *w, tsr__lapack_task task, bool vectors, tsr_index side);

/* Eigenvalues of a symmetric matrix, both triangles of it, in order; row i of a becomes the conjugate of vector i. 0, or 1 + the number
 * of one that does not converge. */
tsr_index tsr__lapack_eigh(tsr__work *w, tsr_index n, bool vectors, void *a, void *values);

/* Of a (n, n), which is lost. Real ones: re and im, and rows of vt as tsr__eig_kernels has them; complex ones: the values in re, im NULL.
 * vt NULL: values alone. */
tsr_index tsr__lapack_eig(tsr__work *w, tsr_index n, void *a, void *re, void *im, void *vt);

/* a (m, n), which is lost; s (min(m, n)); u (m, cols) and vh (rows, n), with all of them or as many as there are values; u NULL: values
 * alone. */
tsr_index tsr__lapack_svd(tsr__work *w, tsr_index m, tsr_index n, bool full, void *a, void *s, void *u, void *vh);

#else

static inline bool tsr__lapack_takes(const tsr__work *w, tsr__lapack_task task, bool vectors, tsr_index side) {
  (void)w, (void)task, (void)vectors, (void)side;
  return false;
}
static inline tsr_index tsr__lapack_eigh(tsr__work *w, tsr_index n, bool vectors, void *a, void *values) {
  (void)w, (void)n, (void)vectors, (void)a, (void)values;
  return 0;
}
static inline tsr_index tsr__lapack_eig(tsr__work *w, tsr_index n, void *a, void *re, void *im, void *vt) {
  (void)w, (void)n, (void)a, (void)re, (void)im, (void)vt;
  return 0;
}
static inline tsr_index tsr__lapack_svd(tsr__work *w, tsr_index m, tsr_index n, bool full, void *a, void *s, void *u,
                                        void *vh) {
  (void)w, (void)m, (void)n, (void)full, (void)a, (void)s, (void)u, (void)vh;
  return 0;
}

#endif

#endif
