#!/usr/bin/env bash
# The table of ops (tsr_op_at) against the headers: every function that returns a status is an op of the table, with the same
# parameters in the same order, or is named here with the reason why it is none; and every op of the table is a function.
. "$(dirname "$0")/lib.sh"
cd "$SOURCE"
grep -q '^#define TSR_HAVE_OPS 1' "$BUILD/include/tessera/config.h" || { skip "the table of ops is configured out"; finish; }

# Headers without ops, and functions that are none: name and reason.
no_ops='arrow bundle calendar carray context csv device dlpack dtype expr formats gguf image index io jpeg layout limits memory metadata mmap npz plan png pnm prepare print program queue raw registry
safetensors scope status table tensor tessera threads wav'
none='
fft_plan_new           gives a struct that programs hold
(q?conv_|qdense_)?pack(_size)?  gives a struct of packed weights, or its size, no tensor
(get|set)(_i64|_flat)? one element, to or from a variable
flat|iter_init         the address of an element
map(_f32|_i32)?        calls a function of the program
(from|to)_array        to or from an array of the program
to_device              a device is no attribute
equal|allclose         the answer is a bool of the program
summarize|compare      the answer is a struct
quant_.*               calibration: the answer is a struct
'

# The functions of the headers as "name parameter...": without the context and the counts of lists; a struct of options as its
# fields, a tsr_activation as three, a tsr_quant as six behind the name of what is quantised; a struct of packed weights as itself.
cat >"$scratch/headers.awk" <<'END'
function last_word(text) { gsub(/\[[^]]*\]/, "", text); gsub(/[ *]+$/, "", text); sub(/.*[ *]/, "", text); return text }
function fields_of(type,   i, n, names, text) {
  if (type == "tsr_activation") return " activation activation_alpha activation_beta"
  n = split(struct[type], names, ";")
  text = ""
  for (i = 1; i <= n; i++) text = text field(names[i])
  return text
}
function field(text,   i, n, names, result) {
  if (text ~ /tsr_activation /) return fields_of("tsr_activation")
  if (text ~ / reserved\[/) return "" # room for later versions
  n = split(text, names, ",")
  result = ""
  for (i = 1; i <= n; i++) if (names[i] ~ /[a-z]/) result = result " " last_word(names[i])
  return result
}
function quant(prefix,   i, n, names, text) {
  n = split("scale zero scales zeros axis dtype", names, " ")
  text = ""
  for (i = 1; i <= n; i++) text = text " " prefix names[i]
  return text
}
function parameter(text, following,   type, name) {
  if (text ~ /tsr_ctx \*ctx$/ || (text ~ /^ *int (n|ndim|naxes|count)$/ && following ~ /\*/)) return ""
  if (match(text, /const tsr_[a-z0-9_]+ \*/) && text !~ /tsr_(tensor|index|real)/) {
    type = substr(text, RSTART + 6, RLENGTH - 8)
    name = last_word(text)
    if (type ~ /^tsr_(conv_)?packed$|^tsr_qlayer$/) return " " name
    if (type == "tsr_quant") { sub(/_?quant$/, "", name); return quant(name == "" ? "" : name "_") }
    if (type == "tsr_qscheme") return quant("x_") quant("w_") quant("out_") " activation"
    return fields_of(type)
  }
  return " " last_word(text)
}
{ text = text " " $0 }
END {
  while (match(text, /\/\*([^*]|\*+[^*\/])*\*+\//)) text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
  rest = text
  while (match(rest, /typedef struct tsr_[a-z0-9_]+ \{[^}]*\}/)) {
    body = substr(rest, RSTART, RLENGTH)
    rest = substr(rest, RSTART + RLENGTH)
    name = body
    sub(/typedef struct /, "", name); sub(/ .*/, "", name); sub(/[^{]*\{/, "", body); sub(/\}$/, "", body)
    struct[name] = body
  }
  while (match(text, /TSR_MUST_USE tsr_status tsr_[a-z0-9_]+\([^;]*\);/)) {
    proto = substr(text, RSTART, RLENGTH)
    text = substr(text, RSTART + RLENGTH)
    name = proto
    sub(/.*tsr_status tsr_/, "", name); sub(/\(.*/, "", name); sub(/[^(]*\(/, "", proto); sub(/\);$/, "", proto)
    line = name
    n = split(proto, parts, ",")
    for (i = 1; i <= n; i++) line = line parameter(parts[i], parts[i + 1])
    print line
  }
}
END

# The ops of the table in the same form.
cat >"$scratch/table.c" <<'END'
#include <stdio.h>
#include <tessera/registry.h>
int main(void) {
  for (int i = 0; i < tsr_op_count(); i++) {
    const tsr_op *op = tsr_op_at(i);
    const tsr_op_param *param;
    fputs(op->name, stdout);
    for (int k = 0; (param = tsr_op_param_at(op, -1, k)) != NULL; k++) printf(" %s", param->name);
    putchar('\n');
  }
  return 0;
}
END
"$CC" -std=gnu11 -Iinclude -I"$BUILD/include" "$scratch/table.c" "$BUILD/libtessera.a" -lm -pthread -o "$scratch/table"
"$scratch/table" >"$scratch/table.txt"
declare -A row=() used=()
while read -r name line; do row[$name]=$line; done <"$scratch/table.txt"

reason_of() {  # the pattern that a function falls under
  while read -r pattern reason; do
    if [ -n "$pattern" ] && [[ $1 =~ ^($pattern)$ ]]; then used[$pattern]=1; found=$reason; return 0; fi
  done <<<"$none"
  return 1
}

headers=()
for header in include/tessera/*.h; do
  if [[ " $(tr '\n' ' ' <<<"$no_ops") " != *" $(basename "$header" .h) "* ]]; then headers+=("$header"); fi
done
while read -r name line; do
  if reason_of "$name"; then
    if [ -z "${row[$name]+there}" ]; then pass; else fail "$name is in the table, and here named as no op: $found"; fi
  elif [ -z "${row[$name]+there}" ]; then
    fail "tsr_$name has no row: write one in its family's ops.def (docs/adding-an-op.md)"
  elif [ "${row[$name]}" != "$line" ]; then
    fail "tsr_$name has the parameters $line; its row has ${row[$name]}"
  else
    pass
  fi
  unset "row[$name]"
done < <(awk -f "$scratch/headers.awk" "${headers[@]}")
for name in "${!row[@]}"; do fail "the op $name is no function of the headers"; done
while read -r pattern reason; do
  if [ -n "$pattern" ] && [ -z "${used[$pattern]:-}" ]; then fail "nothing falls under '$pattern' ($reason)"; fi
done <<<"$none"

# A program that does not ask for the table links nothing of it.
printf '#include <tessera/tessera.h>\nint main(void) { return tsr_add == 0; }\n' >"$scratch/one.c"
"$CC" -std=gnu11 -w -Iinclude -I"$BUILD/include" "$scratch/one.c" "$BUILD/libtessera.a" -lm -pthread -o "$scratch/one"
brought=$("$NM" "$scratch/one" | grep -E ' tsr_(_op_|op_)' || true)
if [ -z "$brought" ]; then pass; else fail "tsr_add brings" $brought; fi
if [ "$(wc -l <"$scratch/table.txt")" -gt 250 ]; then pass; else fail "only $(wc -l <"$scratch/table.txt") ops"; fi
# Every op is found by its name: tsr_NAME stands somewhere in src/.
grep -rhowE 'tsr_[a-z0-9_]+' src | sort -u >"$scratch/in_source"
while read -r name; do
  if grep -qx "tsr_$name" "$scratch/in_source"; then pass; else fail "tsr_$name: grep does not find it in src/"; fi
done < <(cut -d" " -f1 "$scratch/table.txt" | sort -u)
finish
