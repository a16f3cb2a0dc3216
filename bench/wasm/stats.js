// Loads the module that scripts/wasm-size links and gives it a .npy file: f32 [2,3] of 1 to 6.
const create = require(process.argv[2]);
create().then((m) => {
  const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }".padEnd(117) + "\n";
  const file = Buffer.concat([Buffer.from("\x93NUMPY\x01\x00\x76\x00", "latin1"), Buffer.from(header, "latin1"),
                              Buffer.from(new Float32Array([1, 2, 3, 4, 5, 6]).buffer)]);
  const bytes = m._malloc(file.length), out = m._malloc(32);
  m.HEAPU8.set(file, bytes);
  const n = m._tensor_stats(bytes, file.length, out);
  const got = Array.from(m.HEAPF64.subarray(out >> 3, (out >> 3) + 4));
  const want = [1, 6, 3.5, Math.sqrt(35 / 12)];
  if (n !== 6 || got.some((x, i) => Math.abs(x - want[i]) > 1e-6)) {
    console.log("wrong:", n, got);
    process.exit(1);
  }
});
