#!/usr/bin/env bash
# What small programs take of a Cortex-M4F, in the smallest configuration: f32 networks, no error texts (docs/microcontrollers.md).
# Compiles what they need with that configuration, links them, and counts what came from the library. Fails over a limit.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
cpu=(-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16)
flags=(-Os -std=c11 -ffp-contract=off -ffunction-sections -fdata-sections -fno-tree-loop-distribute-patterns -Iinclude -Isrc
       -I"$scratch/include" -I"$BUILD/private")
mkdir -p "$scratch/include/tessera" "$scratch/objects" "$scratch/packed"
config=$scratch/include/tessera/config.h
sed -E 's/(TSR_HAVE_(TEXT|SMALL_FLOATS|INTEGER_PRODUCTS)) 1/\1 0/' "$BUILD/include/tessera/config.h" >"$config"
if [ "$(grep -cE 'TSR_HAVE_(TEXT|SMALL_FLOATS|INTEGER_PRODUCTS) 0' "$config")" != 3 ]; then fail "the configuration has other names"; fi

compile() {  # a source of the library, into a folder, with flags
  local kernel=() source=$1 to=$2
  shift 2
  case $source in *.kernel.c) kernel=(-fwrapv -fno-math-errno -fno-trapping-math -DTSR_ISA=base) ;; esac
  "$CC" "${cpu[@]}" "${flags[@]}" "${kernel[@]}" "$@" -c "$source" -o "$scratch/$to/${source//\//_}.o" || echo "$source" >>"$scratch/broken"
}
for source in src/core/*.c src/memory/*.c src/cpu/*.c src/device/*.c src/ops/*.c src/ops/{copy,cast,create,matmul,activation,move,elementwise}/*.c \
  src/nn/*.c src/nn/{conv,dense,softmax,pool}/*.c src/nn/quant/*.c src/nn/quant/{plain,layer,element,frozen}/*.c; do
  [ -f "$source" ] || continue
  compile "$source" objects &
  compile "$source" packed -DTSR_PACKED_CALLS=1 &
  while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-2}" ]; do wait -n; done
done
wait
if [ -f "$scratch/broken" ]; then fail "does not compile:" $(cat "$scratch/broken"); finish; fi
"${NM%nm}ar" rcs "$scratch/libtessera.a" "$scratch"/objects/*.o
mkdir "$scratch/small"
"${NM%nm}ar" rcs "$scratch/small/libtessera.a" "$scratch"/packed/*.o

cat >"$scratch/head.h" <<'C'
#include <tessera/tessera.h>
void _start(void);
static uint8_t memory[4096];
static tsr_arena arena;
static tsr_ctx ctx;
static tsr_tensor x, y, z;
extern const tsr_tensor w1, b1, w2, b2;
int result;
C
cat >"$scratch/core.c" <<'C'
#include "head.h"
void _start(void) {
  tsr_status st;
  TSR_TRY(st, tsr_arena_init(memory, sizeof memory, &arena), done);
  TSR_TRY(st, tsr_context_init(&ctx, &arena.allocator), done);
  TSR_TRY(st, tsr_desc_init(&ctx, TSR_F32, TSR_SHAPE(2, 3, 4), &x), done);
  TSR_TRY(st, tsr_allocate(&ctx, NULL, TSR_HINT_DEFAULT, &x), done);
  TSR_TRY(st, tsr_transpose(&ctx, &x, 0, 1, &y), done);
  TSR_TRY(st, tsr_slice(&ctx, &y, 0, 1, 3, 1, &y), done);
  TSR_TRY(st, tsr_select(&ctx, &y, 0, 1, &y), done);
  TSR_TRY(st, tsr_reshape_view(&ctx, &x, TSR_SHAPE(6, -1), &z), done);
  TSR_AT(float, &z, 1, 1) = 1;
done:
  tsr_release(&x);
  result = (int)st;
}
C
cat >"$scratch/network.c" <<'C'
#include "head.h"
static const float weights[9], bias[10];
const tsr_tensor w1 = {.dtype = TSR_F32, .ndim = 4, .flags = TSR_READONLY, .shape = {1, 1, 3, 3}, .stride = {9, 9, 3, 1}, .data = (void *)weights};
const tsr_tensor b1 = {.dtype = TSR_F32, .ndim = 1, .flags = TSR_READONLY, .shape = {1}, .stride = {1}, .data = (void *)bias};
const tsr_tensor w2 = {.dtype = TSR_F32, .ndim = 2, .flags = TSR_READONLY, .shape = {1, 6}, .stride = {6, 1}, .data = (void *)weights};
void _start(void) {
  tsr_status st;
  TSR_TRY(st, tsr_arena_init(memory, sizeof memory, &arena), done);
  TSR_TRY(st, tsr_context_init(&ctx, &arena.allocator), done);
  TSR_TRY(st, tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(1, 1, 8, 8), &x), done);
  TSR_TRY(st, tsr_conv2d(&ctx, &x, &w1, &b1, NULL, &y), done);
  TSR_TRY(st, tsr_dense(&ctx, &y, &w2, &b1, NULL, &z), done);
  TSR_TRY(st, tsr_softmax(&ctx, &z, -1, &z), done);
done:
  tsr_release(&z);
  tsr_release(&y);
  tsr_release(&x);
  result = (int)st;
}
C

# A layer of 8 bits, its weights and tensors constants, its memory given.
cat >"$scratch/layers.c" <<'C'
#include <tessera/prepare.h>
#include <tessera/quant.h>
#include <tessera/tessera.h>
void _start(void);
static _Alignas(8) uint8_t scratch[1024], kept[1024];
static tsr_ctx ctx;
static tsr_prepared prepared;
static int8_t a[1024], b[1024], c[1024];
static const int8_t weights[1152] = {1};
static const int32_t table[64] = {1};
int result;
static tsr_tensor image = {.dtype = TSR_I8, .ndim = 4, .layout = TSR_NHWC, .shape = {1, 8, 8, 16}, .stride = {1024, 128, 16, 1}, .data = a};
static tsr_tensor filtered = {.dtype = TSR_I8, .ndim = 4, .layout = TSR_NHWC, .shape = {1, 8, 8, 8}, .stride = {512, 64, 8, 1}, .data = b};
static tsr_tensor pooled = {.dtype = TSR_I8, .ndim = 4, .layout = TSR_NHWC, .shape = {1, 4, 4, 16}, .stride = {256, 64, 16, 1}, .data = c};
static tsr_tensor row = {.dtype = TSR_I8, .ndim = 2, .shape = {1, 16}, .stride = {16, 1}, .data = a};
static tsr_tensor other = {.dtype = TSR_I8, .ndim = 2, .shape = {1, 16}, .stride = {16, 1}, .data = b};
static tsr_tensor sum = {.dtype = TSR_I8, .ndim = 2, .shape = {1, 16}, .stride = {16, 1}, .data = c};
#define LAYER .table = {.dtype = TSR_I32, .ndim = 2, .shape = {4, 8}, .stride = {8, 1}, .data = (void *)table}, .low = -128, .high = 127, .x_dtype = TSR_I8, .out_dtype = TSR_I8
static const tsr_qlayer conv = {.w = {.dtype = TSR_I8, .ndim = 4, .layout = TSR_OHWI, .shape = {8, 3, 3, 16}, .stride = {144, 48, 16, 1}, .data = (void *)weights}, LAYER};
static const tsr_qlayer dense = {.w = {.dtype = TSR_I8, .ndim = 2, .shape = {8, 16}, .stride = {16, 1}, .data = (void *)weights}, LAYER};
static const tsr_quant q = {.dtype = TSR_I8, .scale = 0.5f};
#define DO(kind, call) if ((WHAT & (kind)) != 0 && st == TSR_OK) st = (call)
void _start(void) {
  tsr_status st = tsr_context_init(&ctx, NULL);
  if (st == TSR_OK) st = tsr_context_set_scratch(&ctx, scratch, sizeof scratch);
  DO(16, tsr_prepared_init(kept, sizeof kept, &prepared));
  DO(16, tsr_prepared_begin(&ctx, &prepared));
  DO(1, tsr_qconv2d(&ctx, &image, &conv, &filtered));
  DO(2, tsr_qdense(&ctx, &row, &dense, &other));
  DO(4, tsr_qmax_pool(&ctx, &image, TSR_SHAPE(2, 2), NULL, &pooled));
  DO(32, tsr_qavg_pool(&ctx, &image, 0, TSR_SHAPE(2, 2), NULL, &pooled));
  DO(8, tsr_qadd(&ctx, &row, &q, &other, &q, &q, &sum));
  DO(16, tsr_prepared_end(&ctx, &prepared));
  DO(16, tsr_prepared_run(&ctx, &prepared));
  result = (int)st;
}
C

# Frozen programs: the calls of tests/nn/data/frozen_layers.h that are asked for, or the digits network.
cat >"$scratch/frozen.c" <<'C'
#include HEADER
void _start(void);
static _Alignas(8) uint8_t memory[2112], numbers[512];
int result;
static const tsr_frozen_step steps[] = {STEPS};
void _start(void) {
  const tsr_frozen some = {PROGRAM.form, sizeof memory, sizeof steps / sizeof *steps, 1, 1, steps};
  result = (int)tsr_frozen_run(&some, memory, (const void *const[]){numbers}, (void *const[]){numbers + 256});
}
C

size_of() { "$NM" -S -t d "$scratch/$1.elf" | awk -v name="$2" '$4 == name {print $2 + 0}'; }

# gate NAME LIMIT WHAT: flash from the library, and its RAM beyond tensors' data: its variables, the context, the arena and
# three tensors with their storage headers (40 bytes each).
gate() {
  local flash ram own
  "$CC" "${cpu[@]}" "${flags[@]}" "$scratch/$1.c" -nostartfiles -nostdlib --specs=nano.specs -Wl,--gc-sections \
    -Wl,-Map="$scratch/$1.map" "$scratch/libtessera.a" -lm -lc -lgcc -o "$scratch/$1.elf" || { fail "$1 does not link"; return; }
  flash=$(scripts/map-size "$scratch/$1.map" libtessera.a)
  own=$(scripts/map-size "$scratch/$1.map" libtessera.a 'data|bss')
  ram=$((own + $(size_of "$1" ctx) + $(size_of "$1" arena) + 3 * ($(size_of "$1" x) + 40)))
  echo "$3: $flash bytes of flash (limit $2); RAM beyond tensors' data $ram (limit 1024): variables $own, context $(size_of "$1" ctx)," \
    "arena $(size_of "$1" arena), three tensors $((3 * ($(size_of "$1" x) + 40)))"
  if [ "$flash" -gt 1000 ] && [ "$flash" -lt "$2" ]; then pass; else fail "$1 takes $flash bytes of flash"; fi
  if [ "$ram" -gt 100 ] && [ "$ram" -lt 1024 ]; then pass; else fail "$1 takes $ram bytes of RAM"; fi
}
# sized NAME LIMIT PROGRAM [small] FLAGS...: what a program takes from the library and from the C library, beyond its own code and data.
sized() {
  local name=$1 limit=$2 program=$3 library=$scratch/libtessera.a flash own=0 archive
  shift 3
  if [ "${1:-}" = small ]; then library=$scratch/small/libtessera.a; shift; fi
  "$CC" "${cpu[@]}" "${flags[@]}" "$@" "$scratch/$program.c" -nostartfiles -nostdlib --specs=nano.specs -Wl,--gc-sections \
    -Wl,-Map="$scratch/$program.map" "$library" -lm -lc -lgcc -o "$scratch/$program.elf" || { fail "$name does not link"; return; }
  flash=$(scripts/map-size "$scratch/$program.map" libtessera.a)
  for archive in libc_nano.a libgcc.a; do own=$((own + $(scripts/map-size "$scratch/$program.map" "$archive"))); done
  echo "$name: $flash bytes of flash and $own of the C library (limit for both $limit)"
  if [ "$flash" -gt 1000 ] && [ $((flash + own)) -le "$limit" ]; then pass; else fail "$name takes $((flash + own)) bytes of flash"; fi
}
layer_gate() { sized "$1" "$2" layers -DWHAT="$3"; }
packed_gate() { sized "$1, packed" "$2" layers small -DWHAT="$3"; }  # calls of packed operands alone
frozen_gate() {  # NAME LIMIT HEADER PROGRAM STEPS
  sized "$1" "$2" frozen -DHEADER="\"$SOURCE/$3\"" -DPROGRAM="$4" -DSTEPS="$5"
}
layer_gate "conv of 8 bits" 16256 1
layer_gate "dense of 8 bits" 14592 2
layer_gate "max- and average-pool of 8 bits" 9856 36
layer_gate "add of 8 bits" 11008 8
layer_gate "conv, max-pool and dense of 8 bits" 20608 7
layer_gate "the same, prepared" 20864 23
packed_gate "conv of 8 bits" 12160 1
packed_gate "dense of 8 bits" 6144 2
packed_gate "max- and average-pool of 8 bits" 4736 36
packed_gate "add of 8 bits" 4032 8
layers=tests/nn/data/frozen_layers.h
frozen_gate "frozen conv of 8 bits" 5952 $layers layers '{tsr_frozen_qconv2d,&layers_0}'
frozen_gate "frozen depthwise conv of 8 bits" 2304 $layers layers '{tsr_frozen_qdepthwise,&layers_1}'
frozen_gate "frozen dense of 8 bits" 2816 $layers layers '{tsr_frozen_qdense,&layers_11}'
frozen_gate "frozen max- and average-pool of 8 bits" 2304 $layers layers '{tsr_frozen_qmax_pool,&layers_6},{tsr_frozen_qavg_pool,&layers_7}'
frozen_gate "frozen add of 8 bits" 1536 $layers layers '{tsr_frozen_qadd,&layers_8}'
frozen_gate "frozen digits network" 8192 examples/mcu/data/digits_frozen.h digits \
  '{tsr_frozen_qconv2d,&digits_0},{tsr_frozen_qconv2d,&digits_1},{tsr_frozen_qmax_pool,&digits_2},{tsr_frozen_qdense,&digits_3}'
gate core 6144 "tensors, views, an arena"
gate network 26112 "tensors, conv, dense, softmax"
finish
