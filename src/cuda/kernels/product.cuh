/* Products of matrices without a library: 64 × 64 of the result a block of 256 threads, 4 × 4 a thread, 16 steps of the sum at a time
 * through shared memory. Any strides. Set before: TA, TB the types in memory, C the type that is summed in, LOADED_A, LOADED_B. The result
 * is row-major: (batches, m, n). */
struct product_args {
  const TA *a;
  const TB *b;
  C *out;
  int64_t m, n, k, batches;
  int64_t a_row, a_col, b_row, b_col;
  int64_t length[8], a_step[8], b_step[8]; /* of the batches, the fastest axis first */
  int rank;
};

enum { SIDE = 64, DEEP = 16 };

extern "C" __global__ void __launch_bounds__(256) tsr_product(const __grid_constant__ product_args s) {
  __shared__ __align__(16) C ta[DEEP][SIDE + 1], tb[DEEP][SIDE + 1];
  const int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
  const int64_t left = (int64_t)blockIdx.x * SIDE, top = (int64_t)blockIdx.y * SIDE;
  for (int64_t batch = blockIdx.z; batch < s.batches; batch += gridDim.z) {
    const TA *a = s.a;
    const TB *b = s.b;
    int64_t rest = batch;
    for (int d = 0; d < s.rank; d++) {
      const int64_t q = rest / s.length[d], r = rest - q * s.length[d];
      a += r * s.a_step[d];
      b += r * s.b_step[d];
      rest = q;
    }
    C sum[4][4];
    TSR__UNROLL(4) for (int i = 0; i < 4; i++)
      TSR__UNROLL(4) for (int j = 0; j < 4; j++) sum[i][j] = C();
    for (int64_t first = 0; first < s.k; first += DEEP) {
      TSR__UNROLL(4) for (int i = 0; i < 4; i++) {
        const int at = threadIdx.x + 256 * i, row = at / DEEP, deep = at % DEEP;
        const int64_t r = top + row, k = first + deep;
        ta[deep][row] = r < s.m && k < s.k ? LOADED_A(a[r * s.a_row + k * s.a_col]) : C();
        const int column = at % SIDE, down = at / SIDE;
        const int64_t c = left + column, l = first + down;
        tb[down][column] = c < s.n && l < s.k ? LOADED_B(b[l * s.b_row + c * s.b_col]) : C();
      }
      __syncthreads();
      TSR__UNROLL(16) for (int k = 0; k < DEEP; k++) {
        C x[4], y[4];
        TSR__UNROLL(4) for (int i = 0; i < 4; i++) x[i] = ta[k][ty + 16 * i];
        TSR__UNROLL(4) for (int j = 0; j < 4; j++) y[j] = tb[k][tx + 16 * j];
        TSR__UNROLL(4) for (int i = 0; i < 4; i++)
          TSR__UNROLL(4) for (int j = 0; j < 4; j++) sum[i][j] = MULTIPLY_ADD(x[i], y[j], sum[i][j]);
      }
      __syncthreads();
    }
    C *const out = s.out + batch * s.m * s.n;
    TSR__UNROLL(4) for (int i = 0; i < 4; i++)
      TSR__UNROLL(4) for (int j = 0; j < 4; j++) {
        const int64_t r = top + ty + 16 * i, c = left + tx + 16 * j;
        if (r < s.m && c < s.n) out[r * s.n + c] = sum[i][j];
      }
  }
}
