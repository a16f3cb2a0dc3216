/* Elements n at a time. LOAD and STORE are how memory is read and written: set before. */
template <int bytes> struct word;
template <> struct word<16> { typedef uint4 type; };
template <> struct word<8> { typedef uint2 type; };
template <> struct word<4> { typedef uint32_t type; };
template <> struct word<2> { typedef uint16_t type; };
template <> struct word<1> { typedef uint8_t type; };

template <class T, int n> union pack {
  enum { BYTES = sizeof(T) * n, WORD = BYTES < 16 ? BYTES : 16, WORDS = BYTES / WORD };
  typedef typename word<WORD>::type piece;
  piece all[WORDS];
  T v[n];
  __device__ pack() {}
  __device__ void load(const T *p) {
    TSR__UNROLL(4) for (int i = 0; i < WORDS; i++) all[i] = LOAD((const piece *)p + i);
  }
  __device__ void store(T *p) const {
    TSR__UNROLL(4) for (int i = 0; i < WORDS; i++) STORE((piece *)p + i, all[i]);
  }
};
