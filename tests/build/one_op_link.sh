#!/usr/bin/env bash
# Linking one function links one function: for each row, a Cortex-M4F program that uses only it, without start-up code. Fails
# on a public function of another concept that the row does not allow, on soft double, and on anything of the C library but
# moving memory. Prints the flash that each one takes.
. "$(dirname "$0")/lib.sh"
library=$BUILD/libtessera.a
size=${CC%gcc}size
cpu=(-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16)

# What any function may bring: checks, messages, dtypes, storage, the context, the host's memory.
services='tsr_(status_(name|text)|error.*|dtype_(describe|size|name|supported)|layout_(name|rank)|size|nbytes|is_empty|is_contiguous|same_shape|storage_(new|data|bytes|device|release|share)|release_.*|device_(cpu|of)|allocator_(default|system)|storage_header_size)'

# Tables of kernels that serve several functions: moving and converting memory, the ends of products and convolutions,
# random bits.
shared_kernels='tsr__((cast|move|copy|fill|transpose|stream|gemm_ending)[a-z_]*|conv_rows|random_words)_base'

# function | other public functions, and kernels of others, that it may bring (a pattern)
rows='
tsr_version       |
tsr_dtype_find    |
tsr_desc_init     | tsr_desc_init_ordered
tsr_desc_format   |
tsr_arena_init    |
tsr_context_init  |
tsr_from_memory   | tsr_desc_init
tsr_allocate      |
tsr_view          |
tsr_slice         |
tsr_narrow        |
tsr_select        |
tsr_permute       |
tsr_transpose     | tsr_permute
tsr_broadcast_to  |
tsr_squeeze       |
tsr_flip          |
tsr_diagonal      |
tsr_as_strided    |
tsr_reshape_view  | tsr_reshape_view_ordered
tsr_get           |
tsr_set           |
tsr_iter_init     |
tsr_iter_next     |
tsr_empty         | tsr_allocate
tsr_zeros         | tsr_(empty|allocate)
tsr_full          | tsr_(empty|allocate|fill)
tsr_arange        | tsr_(empty|allocate)
tsr_eye           | tsr_(empty|allocate|diagonal)
tsr_fill          |
tsr_copy          |
tsr_cast          | tsr_copy
tsr_clone         | tsr_(copy|to_device)
tsr_reshape       | tsr_(copy|clone|share|reshape_view|reshape_view_ordered|reshape_ordered)
tsr_contiguous    | tsr_(copy|clone|share)
tsr_equal         |
tsr_allclose      |
tsr_print_text    | tsr_(print_to|desc_format)
tsr_plan          | tsr_plan_.*
tsr_bundle_add    | tsr_move
tsr_add           |
tsr_div           |
tsr_lt            |
tsr_where         |
tsr_exp           |
tsr_relu          |
tsr_log1p         |
tsr_tan           |
tsr_gelu          |
tsr_erfc          |
tsr_celu          |
tsr_sum           |
tsr_argmax        |
tsr_concat        |
tsr_sort          |
tsr_argsort       |
tsr_topk          |
tsr_partition     |
tsr_median        |
tsr_unique        |
tsr_searchsorted  |
tsr_bincount      |
tsr_histogram     |
tsr_gather        |
tsr_scatter       |
tsr_index_add     |
tsr_gather_nd     |
tsr_scatter_nd    |
tsr_masked_fill   |
tsr_masked_scatter |
tsr_masked_select |
tsr_nonzero       |
tsr_sum_where     | tsr__sum_base
tsr_mean_where    | tsr__(count|total)_base
tsr_min_where     | tsr__(count|min)_base
tsr_any_where     | tsr__any_base
tsr_argmin_where  | tsr__argmin_base
tsr_nanmedian     |
tsr_pad           |
tsr_matmul        | tsr_dtype_promote
tsr_gemm          | tsr_dtype_promote
tsr_softmax       |
tsr_log_softmax   |
tsr_layer_norm    |
tsr_rms_norm      |
tsr_batch_norm    | tsr_layout_axis
tsr_group_norm    | tsr_layout_axis
tsr_instance_norm | tsr_layout_axis
tsr_max_pool      |
tsr_avg_pool      |
tsr_conv2d        |
tsr_attention     |
tsr_cross_entropy |
tsr_embedding     |
tsr_kv_append     |
tsr_rotary        |
tsr_rotary_tables |
tsr_dropout       |
tsr_pixel_shuffle |
tsr_pixel_unshuffle |
tsr_resize_nearest |
tsr_resize_linear |
tsr_lp_pool       |
tsr_adaptive_avg_pool |
tsr_adaptive_max_pool |
tsr_lrn           |
tsr_conv_transpose1d |
tsr_conv_transpose2d |
tsr_conv3d        |
tsr_dense         | tsr_dtype_promote
tsr_npy_decode    | tsr_(npy_read|copy|share|move|allocate|resize|desc_init.*|from_storage)
tsr_dlpack_import | tsr_(storage_wrap|from_storage)
tsr_npz_decode    | tsr_(npy_read|copy|share|move|allocate|resize|desc_init.*|from_storage|bundle_(add|release))
'

forbidden='^(__aeabi_(d|[a-z]+2d).*|__(add|sub|mul|div)df3|__extendsfdf2|__truncdfsf2|_*(malloc|free|calloc|realloc)(_r)?|_*(v|f|s|sn|vsn)?i?printf(_r)?|puts|abort|_?exit|__assert.*|_sbrk(_r)?)$'

cat >"$scratch/one.c" <<'C'
#include <tessera/tessera.h>
void _start(void);
static void *volatile keep;
void _start(void) { keep = (void *)USED; }
C
printf '%-20s %8s\n' function flash
while IFS='|' read -r function others; do
  function=${function// /} others=${others// /}
  if [ -z "$function" ]; then continue; fi
  used=$function
  case $function in tsr_context_init | tsr_release) used="TSR_ABI($function)" ;; esac
  elf=$scratch/$function.elf
  if ! "$CC" "${cpu[@]}" -std=gnu11 -Os -ffunction-sections -fdata-sections -I"$SOURCE/include" -I"$BUILD/include" \
    "-DUSED=$used" "$scratch/one.c" -nostartfiles -nostdlib --specs=nano.specs -Wl,--gc-sections \
    "$library" -lm -lc -lgcc -o "$elf" >"$scratch/log" 2>&1; then
    fail "$function does not link"
    head -n 10 "$scratch/log"
    continue
  fi
  read -r text data _ < <("$size" "$elf" | tail -n 1)
  printf '%-20s %8d\n' "$function" $((text + data))
  symbols=$("$NM" --defined-only "$elf" | awk '{print $NF}' | sed 's/\.\(part\|constprop\|isra\|cold\).*//' | sort -u)
  public=$(grep -E '^tsr_[^_]' <<<"$symbols" | grep -vxE "$services|${function}(_d[0-9].*)?|${others:-none}" || true)
  kernels=$(grep -E '^tsr__.*_base$' <<<"$symbols" | grep -vxE "$shared_kernels|tsr__${function#tsr_}_base|${others:-none}" || true)
  if [ -n "$kernels" ]; then fail "$function brings kernels of others:" $kernels; fi
  banned=$(grep -E "$forbidden" <<<"$symbols" || true)
  if [ -n "$public" ]; then fail "$function brings" $public; fi
  if [ -n "$banned" ]; then fail "$function brings" $(head -n 3 <<<"$banned") "..."; fi
  if [ -z "$public$kernels$banned" ]; then pass; fi
done <<<"$rows"
finish
