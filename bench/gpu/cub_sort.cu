// Values alone, sorted by CUB: what a sort without indices is compared with. Compiled by torch_rows.py where there is nvcc.
#include <cub/device/device_radix_sort.cuh>

extern "C" int sort_keys(const float *from, float *to, void *room, size_t bytes, int n, cudaStream_t stream) {
  return (int)cub::DeviceRadixSort::SortKeys(room, bytes, from, to, n, 0, 32, stream);
}
