#!/usr/bin/env bash
# The pictures of docs/architecture.md are what scripts/architecture draws of the sources; it notices when they change; and calls
# that are run go the way that is drawn.
. "$(dirname "$0")/lib.sh"
if ! command -v python3 >/dev/null; then skip "no python3"; finish; fi
cd "$SOURCE"
check "docs/architecture.md is as scripts/architecture draws it" scripts/architecture --check

# noticed MESSAGE FILE SED-EXPRESSION: a copy of the sources with a change is told.
noticed() {
  rm -rf "$scratch/tree"
  mkdir -p "$scratch/tree/tests/build"
  cp -r src scripts docs "$scratch/tree"
  cp tests/build/rooms.def "$scratch/tree/tests/build"
  sed -i "$3" "$scratch/tree/$2"
  if cmp -s "$2" "$scratch/tree/$2"; then fail "'$3' changes nothing"; return; fi
  if "$scratch/tree/scripts/architecture" --check >"$scratch/output" 2>&1; then fail "not noticed: $2, $3"; return; fi
  if grep -qF -e "$1" "$scratch/output"; then pass; else fail "$2, $3: $(head -n 3 "$scratch/output")"; fi
}
noticed '+device    ->  core, memory' tests/build/rooms.def 's/^src  device .*/src  device core memory/'
noticed 'has no function see_inputs' src/core/call.c 's/\bsee_inputs\b/look_at_inputs/'
noticed 'run_untraced does not reach see_inputs any more' src/core/call.c 's/st = see_inputs(call, &seen)/st = TSR_OK/'
noticed 'run_call does not reach roll any more' src/core/call.c 's/call->info->run(call)/TSR_OK/'
noticed 'offload does not reach record_run any more' src/core/call.c 's/device->run(device->self,/run_it(device,/'
noticed 'look_twice of src/core/call.c is not on the way' src/core/call.c '$ a static int look_twice(int k) { return k; }'
noticed 'see_outputs' docs/architecture.md '/see_outputs/d'

# ---- calls that are run ----
# The files of the way, compiled so that they say which function they enter: a line for each, the functions around it before it.
cat >"$scratch/calls.c" <<'C'
#include <stdio.h>
#include <tessera/tessera.h>
static void *stack[64];
static int depth;
void __cyg_profile_func_enter(void *function, void *site) {
  (void)site;
  stack[depth++] = function;
  for (int i = 0; i < depth; i++) printf("%p%c", stack[i], i + 1 < depth ? ' ' : '\n');
}
void __cyg_profile_func_exit(void *function, void *site) { (void)function, (void)site, depth--; }
static void ignore(void *user, const tsr_trace_event *event) { (void)user, (void)event; }

static tsr_status on_host(tsr_ctx *ctx, tsr_tensor *x) {
  tsr_tensor y = {0}, described = {0}, column = *x;
  column.shape[1] = 1;
  column.stride[1] = INT64_MAX; /* means nothing */
  tsr_status st = tsr_roll(ctx, x, 3, 0, &y);
  if (st == TSR_OK) st = tsr_desc_init(ctx, TSR_F32, TSR_SHAPE(4, 3), &described);
  if (st == TSR_OK) st = tsr_roll(ctx, x, 3, 0, &described);
  if (st == TSR_OK) st = tsr_roll(ctx, x, 1, 0, x); /* over itself */
  tsr_release(&y);
  if (st == TSR_OK) st = tsr_roll(ctx, &column, 1, 0, &y);
  tsr_release(&y);
  tsr_release(&described);
  if (st == TSR_OK && tsr_roll(ctx, x, 3, 9, &y) != TSR_EAXIS) st = TSR_EARG;
  return st;
}
static tsr_status inferred(tsr_ctx *ctx, const tsr_tensor *x) {
  const tsr_attr attrs[] = {tsr_attr_int("shift", 3), tsr_attr_int("axis", 0)};
  tsr_tensor y = {0};
  return tsr_op_infer(ctx, tsr_op_find("roll"), 1, &x, 2, attrs, 1, (tsr_tensor *[]){&y}, NULL);
}
static tsr_status recorded(tsr_ctx *ctx, const tsr_tensor *x) {
  tsr_program *p = NULL;
  tsr_tensor in = {0}, y = {0}, out = {0};
  tsr_status st = tsr_program_new(ctx, &p);
  if (st == TSR_OK) st = tsr_program_begin(ctx, p);
  if (st == TSR_OK) st = tsr_program_input(ctx, p, "x", x, &in);
  if (st == TSR_OK) st = tsr_roll(ctx, &in, 3, 0, &y);
  if (st == TSR_OK) st = tsr_program_output(ctx, p, "y", &y);
  if (st == TSR_OK) st = tsr_program_end(ctx, p);
  if (st == TSR_OK) st = tsr_program_run(ctx, p, 1, &x, 1, (tsr_tensor *[]){&out});
  tsr_release(&in), tsr_release(&y), tsr_release(&out);
  tsr_program_free(p);
  return st;
}
int main(void) {
  tsr_ctx ctx;
  tsr_tensor x = {0};
  tsr_status st = tsr_context_init(&ctx, NULL);
  if (st == TSR_OK) st = tsr_zeros(&ctx, TSR_F32, TSR_SHAPE(4, 3), &x);
  if (st == TSR_OK) st = on_host(&ctx, &x);
  if (st == TSR_OK) st = inferred(&ctx, &x);
  if (st == TSR_OK) st = recorded(&ctx, &x);
  if (st == TSR_OK) st = tsr_scope_begin(&ctx);
  if (st == TSR_OK) st = on_host(&ctx, &x);
  tsr_scope_end(&ctx);
  if (st == TSR_OK) st = tsr_context_set_trace(&ctx, ignore, NULL);
  if (st == TSR_OK) st = on_host(&ctx, &x);
  tsr_release(&x);
  return st == TSR_OK ? 0 : 1;
}
C
scripts/architecture --calls >"$scratch/drawn"
entering=(-std=gnu11 -O0 -fno-pie -finstrument-functions -w -Iinclude -Isrc "-I$BUILD/include" "-I$BUILD/private")
objects=()
for file in $({ cut -d" " -f1 "$scratch/drawn"; echo ops/move/target.c; } | grep '\.c$' | sort -u); do
  objects+=("$scratch/$(tr / _ <<<"$file").o")
  check "$file compiles" "$CC" "${entering[@]}" -c "src/$file" -o "${objects[-1]}"
done
libraries=$(grep -oE '^#define TSR_HAVE_(ZLIB|PNG|JPEG) 1' "$BUILD/include/tessera/config.h" | sed 's/.*ZLIB 1/-lz/; s/.*PNG 1/-lpng/; s/.*JPEG 1/-ljpeg/' || true)
check "the calls link" "$CC" -std=gnu11 -w -no-pie -fno-pie -Iinclude "-I$BUILD/include" "$scratch/calls.c" "${objects[@]}" "$BUILD/libtessera.a" \
  $libraries -lm -pthread -o "$scratch/calls"
if ! "$scratch/calls" >"$scratch/addresses"; then fail "the calls do not run"; finish; fi
"$NM" "$scratch/calls" | awk 'NR == FNR { sub(/^0+/, "", $1); name["0x" $1] = $3; next }
  { for (i = 1; i <= NF; i++) printf "%s ", ($i in name ? name[$i] : "?"); print "" }' - "$scratch/addresses" | sort -u >"$scratch/entered"
while read -r file caller function; do
  if [ "$caller" = - ]; then wanted="(^| )$function \$"; else wanted="(^| )$caller (.* )?$function \$"; fi
  if grep -qE "$wanted" "$scratch/entered"; then pass; else fail "no call enters $function of $file from $caller"; fi
done <"$scratch/drawn"
finish
