#!/usr/bin/env bash
# What small programs take of a Cortex-M4F, in the smallest configuration: f32 networks, no error texts (docs/microcontrollers.md).
# Compiles what they need with that configuration, links them, and counts what came from the library. Fails over a limit.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
cpu=(-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16)
flags=(-Os -std=c11 -ffp-contract=off -ffunction-sections -fdata-sections -fno-tree-loop-distribute-patterns -Iinclude -Isrc
       -I"$scratch/include" -I"$BUILD/private")
mkdir -p "$scratch/include/tessera" "$scratch/objects"
config=$scratch/include/tessera/config.h
sed -E 's/(TSR_HAVE_(TEXT|SMALL_FLOATS|INTEGER_PRODUCTS)) 1/\1 0/' "$BUILD/include/tessera/config.h" >"$config"
if [ "$(grep -cE 'TSR_HAVE_(TEXT|SMALL_FLOATS|INTEGER_PRODUCTS) 0' "$config")" != 3 ]; then fail "the configuration has other names"; fi

compile() {  # a source of the library
  local kernel=()
  case $1 in *.kernel.c) kernel=(-fwrapv -fno-math-errno -fno-trapping-math -DTSR_ISA=base) ;; esac
  "$CC" "${cpu[@]}" "${flags[@]}" "${kernel[@]}" -c "$1" -o "$scratch/objects/${1//\//_}.o" || echo "$1" >>"$scratch/broken"
}
for source in src/core/*.c src/memory/*.c src/cpu/*.c src/device/*.c src/ops/*.c src/ops/{copy,cast,create,matmul,activation,move,elementwise}/*.c \
  src/nn/*.c src/nn/{conv,dense,softmax}/*.c; do
  [ -f "$source" ] || continue
  compile "$source" &
  while [ "$(jobs -pr | wc -l)" -ge "${JOBS:-2}" ]; do wait -n; done
done
wait
if [ -f "$scratch/broken" ]; then fail "does not compile:" $(cat "$scratch/broken"); finish; fi
"${CC%gcc}ar" rcs "$scratch/libtessera.a" "$scratch"/objects/*.o

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
gate core 6144 "tensors, views, an arena"
gate network 24576 "tensors, conv, dense, softmax"
finish
