/* Weights of a quantised layer as i16, (outputs, taps, channels), less their zero points: from the order in which the kernels of hosts read them
 * (nn/quant/fast/panels.h) or from plain ones (nn/quant/run.h). */
#define PLAIN 0
#define BYTES 1
#define PAIRS 2

struct weights_args {
  const uint8_t *from;
  const int32_t *zeros; /* an output each */
  int16_t *to;
  int64_t all, outputs, channels, pixels, columns; /* of taps: kh · kw; outputs of a group */
  int64_t kind, depthwise;
  int64_t taps, run, steps, lanes, vectors, panels; /* of panels */
};

extern "C" __global__ void __launch_bounds__(256) tsr_quant_weights(const __grid_constant__ weights_args s) {
  const int64_t i = (int64_t)blockIdx.x * 256 + threadIdx.x;
  if (i >= s.all) return;
  const int64_t each = s.pixels * s.channels, o = i / each, at = i - o * each;
  if (s.kind == PLAIN) {
    const int64_t pixel = at / s.channels;
    s.to[i] = (int16_t)((int8_t)s.from[s.depthwise ? pixel * s.outputs + o : i] - s.zeros[o]);
    return;
  }
  const int numbers = s.kind == BYTES ? 4 : 2; /* of a group of four bytes */
  const int64_t tap = at / s.run, rest = at - tap * s.run, step = rest / numbers;
  const int64_t group = o / s.columns, column = o - group * s.columns, vector = column / s.lanes;
  const int64_t few = s.vectors / s.panels, more = s.vectors % s.panels; /* the first panels have one vector more */
  const int64_t panel = vector < more * (few + 1) ? vector / (few + 1) : more + (vector - more * (few + 1)) / few;
  const int64_t first = panel * few + (panel < more ? panel : more), count = (few + (panel < more)) * s.lanes;
  const int64_t word = (group * s.vectors + first) * s.lanes * s.taps * s.steps + (tap * s.steps + step) * count + column - first * s.lanes;
  if (s.kind == BYTES)
    s.to[i] = (int16_t)((int8_t)s.from[4 * word + rest % 4] - s.zeros[o]);
  else
    s.to[i] = ((const int16_t *)s.from)[2 * word + rest % 2];
}
