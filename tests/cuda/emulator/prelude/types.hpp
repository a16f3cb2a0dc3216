// Vector types: NVRTC knows them without a header.
#define EMU_VECTORS(name, type, two, four)                                                        \
  struct name##1 { type x; };                                                                     \
  struct __align__(two) name##2 { type x, y; };                                                   \
  struct name##3 { type x, y, z; };                                                               \
  struct __align__(four) name##4 { type x, y, z, w; };                                            \
  static inline name##1 make_##name##1(type x) { return {x}; }                                    \
  static inline name##2 make_##name##2(type x, type y) { return {x, y}; }                         \
  static inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; }              \
  static inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }
EMU_VECTORS(char, signed char, 2, 4)
EMU_VECTORS(uchar, unsigned char, 2, 4)
EMU_VECTORS(short, short, 4, 8)
EMU_VECTORS(ushort, unsigned short, 4, 8)
EMU_VECTORS(int, int, 8, 16)
EMU_VECTORS(uint, unsigned, 8, 16)
EMU_VECTORS(long, long, 16, 16)
EMU_VECTORS(ulong, unsigned long, 16, 16)
EMU_VECTORS(longlong, long long, 16, 16)
EMU_VECTORS(ulonglong, unsigned long long, 16, 16)
EMU_VECTORS(float, float, 8, 16)
EMU_VECTORS(double, double, 16, 16)
#undef EMU_VECTORS

struct dim3 {
  unsigned x, y, z;
};
