#!/usr/bin/env bash
# scripts/migrate-0.1: a program of 0.1 compiles after it, the lines that need a hand are listed with what is different, and a program
# of today stays as it is. Its names are those of the table in CHANGELOG.md.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE" || exit
cat >"$scratch/old.c" <<'END'
#include <tessera/op.h>
#include <tessera/access.h>
#include <tessera/tessera.h>
int use(tsr_ctx *ctx, tsr_tensor *x, tsr_tensor *w, tsr_tensor *y);
int use(tsr_ctx *ctx, tsr_tensor *x, tsr_tensor *w, tsr_tensor *y) {
  tsr_pool *pool = NULL;
  const tsr_conv_attrs attrs = {.stride = {2, 2}};
  if (tsr_pool_new(NULL, 0, &pool) != TSR_OK || tsr_conv2d(ctx, x, w, NULL, &attrs, y) != TSR_OK) return 1;
  if (tsr_max_pool(ctx, y, TSR_SHAPE(2, 2), &(tsr_pool_options){.ceil_mode = true}, x) != TSR_OK) return 1;
  if (tsr_resize(ctx, x, TSR_SHAPE(2, 2)) != TSR_OK || tsr_is_empty(x) || tsr_count(x) != 1) return 1;
  if (tsr_gradient(ctx, x, NULL, 1, 0, 1, y) != TSR_OK || tsr_map_check(ctx, x)!=TSR_OK||tsr_is_empty(y)) return 1;
  return tsr_pool_release(pool) == TSR_OK && tsr_op_find("resize_linear") != NULL ? 0 : 1;
}
END
cp "$scratch/old.c" "$scratch/new.c"
check "it rewrites" scripts/migrate-0.1 "$scratch/new.c"
check "what it wrote compiles" "$CC" -std=c11 -Wall -Wextra -Werror -fsyntax-only -I include -I "$BUILD/include" "$scratch/new.c"
if "$CC" -std=c11 -fsyntax-only -I include -I "$BUILD/include" "$scratch/old.c" 2>/dev/null; then fail "the old one compiles"; else pass; fi

echo '  st = tsr_arena_init(&arena, memory, sizeof memory);' >"$scratch/hand.c"
said=$(scripts/migrate-0.1 "$scratch/hand.c")
if [[ $said == *"hand.c:1:"*"what is made comes last"* ]]; then pass; else fail "it does not say what needs a hand: $said"; fi

cp examples/*.c "$scratch"
scripts/migrate-0.1 "$scratch"/digits.c "$scratch"/tour.c "$scratch"/first.c >/dev/null
for name in digits tour first; do check "$name.c stays" cmp -s "examples/$name.c" "$scratch/$name.c"; done

while read -r old new; do
  if grep -qE "\| \`<?$old>?\` \| \`<?$new>?\` \|" CHANGELOG.md; then pass; else fail "CHANGELOG.md has no line for $old"; fi
done < <(sed -n "/^names='/,/^'/p" scripts/migrate-0.1 | awk 'NF == 2')
finish
