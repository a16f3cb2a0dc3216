#!/usr/bin/env bash
# Linking one function links one function: for each public function, a Cortex-M4F program of nothing else, without start-up
# code. Fails on a public function of another concept or another op's kernels that no row allows, on soft double, and on
# anything of the C library but moving memory. Prints the flash that each one takes.
. "$(dirname "$0")/lib.sh"
library=$BUILD/libtessera.a
size=${NM%nm}size
cpu=(-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16)

# What any function may bring: checks, messages, dtypes, storage, the context, the host's memory.
services='tsr_(status_(name|text)|error.*|dtype_(describe|size|name|supported)|layout_(name|rank|axis)|size|nbytes|is_none|is_contiguous|same_shape|storage_(new|data|bytes|device|release|share)|release_.*|device_(cpu|of)|allocator_(default|system)|storage_header_size)'

# Tables of kernels that serve several functions: moving and converting memory, the ends of products and convolutions,
# random bits.
shared_kernels='tsr__((cast|move|copy|fill|transpose|stream|gemm_epilogue)[a-z_]*|conv_(rows|blocks)|random_words)_base'

# function | other public functions that it may bring (a pattern) | other ops' kernels (a pattern). Functions without a row
# bring nothing.
rows='
tsr_version       |
tsr_dtype_find    |
tsr_desc_init     | tsr_desc_init_ordered
tsr_desc_format   |
tsr_desc_parse    | tsr_dtype_find|tsr_layout_find
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
tsr_quant_get     | tsr_bundle_(find|get)
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
tsr_mean_where    | | count|total
tsr_min_where     | | count
tsr_max_where     | | count
tsr_var_where     | | count|sum_square|total
tsr_std_where     | | count|sum_square|total
tsr_count_nonzero_where | | count
tsr_nanmedian     |
tsr_pad           |
tsr_matmul        | tsr_dtype_promote
tsr_gemm          | tsr_dtype_promote
tsr_einsum        | tsr_dtype_promote | mul|sum
tsr_tensordot     | tsr_dtype_promote | mul|sum
tsr_kron          | tsr_dtype_promote | mul|sum
tsr_trace         | tsr_diagonal | sum
tsr_cross         | tsr_dtype_promote
tsr_diff          | tsr_dtype_promote | sub
tsr_central_diff      | tsr_dtype_promote
tsr_interp        | tsr_dtype_promote
tsr_convolve      | tsr_dtype_promote
tsr_correlate     | tsr_dtype_promote | convolve
tsr_inner         | tsr_dtype_promote | mul|sum
tsr_vdot          | tsr_dtype_promote | mul|sum
tsr_softmax       |
tsr_log_softmax   |
tsr_layer_norm    |
tsr_rms_norm      |
tsr_batch_norm    |
tsr_group_norm    |
tsr_instance_norm |
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
tsr_cholesky      | tsr_parallel_serial | cholesky_leaf
tsr_cond          | tsr_parallel_serial
tsr_det           | tsr_parallel_serial | lu_panel
tsr_inv           | tsr_parallel_serial | lu_panel|substitute
tsr_lstsq         | tsr_parallel_serial
tsr_lu_factor     | tsr_parallel_serial | lu_panel
tsr_lu_solve      | tsr_parallel_serial | substitute
tsr_matrix_norm   | tsr_parallel_serial
tsr_matrix_rank   | tsr_parallel_serial
tsr_pinv          | tsr_parallel_serial
tsr_slogdet       | tsr_parallel_serial | lu_panel
tsr_solve         | tsr_parallel_serial | lu_panel|substitute
tsr_solve_triangular | tsr_parallel_serial | substitute
tsr_svd           | tsr_parallel_serial
tsr_svdvals       | tsr_parallel_serial
tsr_npy_decode    | tsr_(npy_read|copy|share|move|allocate|resize|desc_init.*|from_storage)
tsr_dlpack_import | tsr_(storage_wrap|from_storage)
tsr_npz_archive_read | tsr_from_storage
tsr_npz_decode    | tsr_(npy_read|copy|share|move|allocate|resize|desc_init.*|from_storage|metadata_release|bundle_(add|release))
tsr_bundle_bind   | tsr_storage_sub
tsr_bundle_get    | tsr_bundle_find
tsr_bundle_reallocate | tsr_(capacity|reallocate)
tsr_bundle_take   | tsr_move
tsr_carray_write  | tsr_desc_format
tsr_compare       | | distance(8|16)
tsr_refcount         | tsr_storage_count
tsr_count_nonzero | | count
tsr_dlpack_export | tsr_(clone|share)
tsr_dlpack_export_unversioned | tsr_(clone|share)
tsr_dlpack_import_unversioned | tsr_(storage_wrap|from_storage)
tsr_dot           | tsr_(dtype_promote|matmul)
tsr_global_avg_pool | | total
tsr_global_max_pool | | max
tsr_logsumexp     | | exponential|peak
tsr_matvec        | tsr_(dtype_promote|matmul)
tsr_mean          | | total
tsr_multi_head_attention | tsr_(attention|dtype_promote) | attention
tsr_norm          | tsr_norm(1|2|_inf) | max_abs|magnitude|min_abs|power|sum_square
tsr_norm1         | | magnitude
tsr_norm2         | | sum_square
tsr_norm_inf      | | max_abs
tsr_npy_read      | tsr_from_storage
tsr_npz_read      | tsr_(bundle_(add|release)|from_storage|metadata_release|move)
tsr_npz_read_tensor | tsr_from_storage
tsr_npz_write     | tsr_npy_write
tsr_outer         | tsr_mul | mul
tsr_parallel_default | tsr_parallel_serial
tsr_print_to      | tsr_desc_format
tsr_qconv2d       | tsr_parallel_(default|serial)
tsr_qdense        | tsr_parallel_(default|serial)
tsr_qmatmul       | tsr_parallel_(default|serial)
tsr_qmul          |
tsr_qmean         | tsr_parallel_(default|serial)
tsr_qsoftmax      | tsr_parallel_(default|serial)
tsr_qsvdf         | tsr_parallel_(default|serial)
tsr_qlstm         | tsr_parallel_(default|serial)
tsr_qconv2d_i4    | tsr_parallel_(default|serial)
tsr_qdense_i4     | tsr_parallel_(default|serial)
tsr_qconv_transpose2d | tsr_parallel_(default|serial)
tsr_quant_params  | tsr_(get|min|max) | min|max
tsr_quant_params_axis | tsr_(get|min|max) | min|max
tsr_quant_percentile | tsr_(copy|sort) | sort
tsr_rand_normal   | | normal_f32
tsr_rand_normal_scaled | | normal_f32
tsr_rand_uniform  | | uniform_f32
tsr_reallocate        | tsr_capacity
tsr_safetensors_decode | tsr_(bundle_(add|release)|from_storage|layout_find|metadata_release|move)
tsr_safetensors_file_metadata | tsr_(bundle|metadata)_release
tsr_safetensors_file_new | tsr_(layout_find|safetensors_file_release)
tsr_safetensors_file_read | tsr_from_storage
tsr_safetensors_file_read_tensor | tsr_from_storage
tsr_safetensors_list | tsr_layout_find
tsr_safetensors_read | tsr_(bundle_(add|release)|from_storage|layout_find|metadata_release|move)
tsr_safetensors_read_tensor | tsr_(from_storage|layout_find)
tsr_std           | | deviation|total
tsr_threads_parallel | tsr_parallel_serial
tsr_to_layout     | tsr_permute
tsr_to_layout_view | tsr_permute
tsr_var           | | deviation|total
'

forbidden='^(__aeabi_(d|[a-z]+2d).*|__(add|sub|mul|div)df3|__extendsfdf2|__truncdfsf2|_*(malloc|free|calloc|realloc)(_r)?|_*(v|f|s|sn|vsn)?i?printf(_r)?|puts|abort|_?exit|__assert.*|_sbrk(_r)?)$'

printf '%-36s %8s\n' function flash
# Every function of the library that a header declares, and what its row allows; | stands in patterns, so that they are not
# read with it.
declare -A others_of=() kernels_of=()
functions=()
while IFS= read -r row; do
  function=${row%%|*} rest=${row#*|}
  function=${function// /}
  if [ -z "$function" ]; then continue; fi
  functions+=("$function")
  others_of[$function]=$(sed 's/ | .*//; s/^ *| *//; s/ //g' <<<"$rest")
  kernels_of[$function]=$(sed -n 's/.* | \(.*\)/\1/p; s/^ *| \(.*\)/\1/p' <<<"$rest" | head -n 1)
done <<<"$rows"
declared=$(cat "$SOURCE"/include/tessera/*.h | tr '\n' ' ' | grep -oE 'TSR_API [^;(]*tsr_[a-z0-9_]+\(' | grep -oE 'tsr_[a-z0-9_]+\($' | tr -d '(' | sort -u)
defined=$("$NM" --defined-only "$library" 2>/dev/null | awk '$2 == "T" {print $3}' | sort -u)
while read -r function; do
  if [ -z "${others_of[$function]+row}" ]; then functions+=("$function"); fi
done < <(comm -12 <(echo "$declared") <(echo "$defined"))
if [ ${#functions[@]} -lt 400 ]; then fail "only ${#functions[@]} functions found"; fi

# own_kernel FUNCTION: the op that it is a form of.
own_kernel() { sed 's/^tsr_//; s/^scalar_//; s/_i64$//; s/_scalar$//; s/_tensor$//; s/_where$//' <<<"$1"; }

for function in "${functions[@]}"; do
  others=${others_of[$function]:-} allowed=${kernels_of[$function]:-none}
  used=$(grep -xE "$function(_d[0-9].*)?" <<<"$defined" | head -n 1 || true) # some names carry the configuration
  elf=$scratch/$function.elf
  if ! "$CC" "${cpu[@]}" -nostartfiles -nostdlib --specs=nano.specs -Wl,--gc-sections -Wl,-e,"$used" -Wl,-u,"$used" \
    "$library" -lm -lc -lgcc -o "$elf" >"$scratch/log" 2>&1; then
    fail "$function does not link"
    head -n 10 "$scratch/log"
    continue
  fi
  read -r text data _ < <("$size" "$elf" | tail -n 1)
  printf '%-36s %8d\n' "$function" $((text + data))
  symbols=$("$NM" --defined-only "$elf" | awk '{print $NF}' | sed 's/\.\(part\|constprop\|isra\|cold\).*//' | sort -u)
  public=$(grep -E '^tsr_[^_]' <<<"$symbols" | grep -vxE "$services|${function}(_d[0-9].*)?|${others:-none}" || true)
  kernels=$(grep -E '^tsr__.*_base$' <<<"$symbols" | grep -vxE "$shared_kernels|tsr__($(own_kernel "$function")(_row)?|$allowed)_base" || true)
  if [ -n "$kernels" ]; then fail "$function brings kernels of others:" $kernels; fi
  banned=$(grep -E "$forbidden" <<<"$symbols" || true)
  if [ -n "$public" ]; then fail "$function brings" $public; fi
  if [ -n "$banned" ]; then fail "$function brings" $(head -n 3 <<<"$banned") "..."; fi
  if [ -z "$public$kernels$banned" ]; then pass; fi
done
finish
