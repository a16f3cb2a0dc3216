# Steps for .ci/run and scripts/ci-full: each is named, timed and counted. Sourced from the root of the project.
set -euo pipefail
: "${JOBS:=2}"
export JOBS
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
names=() results=() times=() counts=()
total_passed=0 total_failed=0 total_skipped=0

# record: a file of the steps that passed on this very source, "name|seconds|passed|skipped" a line; none unless a script asks.
record=
keep_record() {  # keep_record FOLDER: RESUME=1 takes from it what has passed before; otherwise it begins anew
  mkdir -p "$1"
  record=$1/$( (git rev-parse HEAD; git diff HEAD) 2>/dev/null | sha1sum | cut -c 1-16)
  if [ "${RESUME:-0}" != 1 ]; then rm -f "$record"; fi
}

count() {  # count NAME SECONDS PASSED FAILED SKIPPED
  total_passed=$((total_passed + $3)) total_failed=$((total_failed + $4)) total_skipped=$((total_skipped + $5))
  names+=("$1") times+=("$2") counts+=("$3 passed, $4 failed, $5 skipped")
}

passed_before() {  # passed_before NAME: counts it, if the record has it
  local line name seconds p s
  line=$([ -n "$record" ] && [ -f "$record" ] && awk -F'|' -v name="$1" '$1 == name' "$record" | tail -n 1)
  [ -n "$line" ] || return 1
  IFS='|' read -r name seconds p s <<<"$line"
  echo "passed before on this source"
  count "$name" "$seconds" "$p" 0 "$s"
  results+=(ok)
}

# step NAME COMMAND...: runs it; its counts are its last line "N passed, N failed, N skipped", else it counts as one test.
step() {
  local name=$1 log=$logs/step began=$SECONDS ok=1 line p=0 f=0 s=0
  shift
  echo
  echo "=== $name"
  if passed_before "$name"; then return; fi
  ("$@") 2>&1 | tee "$log" || ok=0
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1 || true)
  if [ -n "$line" ]; then
    read -r p f s < <(tr -dc '0-9 \n' <<<"$line" | tr -s ' ')
  elif [ $ok = 1 ]; then
    p=1
  fi
  if [ $ok = 0 ] && [ "$f" = 0 ]; then f=1; fi
  count "$name" $((SECONDS - began)) "$p" "$f" "${s:-0}"
  if [ $ok = 0 ]; then results+=(FAILED); return; fi
  results+=(ok)
  if [ -n "$record" ]; then echo "$name|$((SECONDS - began))|$p|${s:-0}" >>"$record"; fi
}

# summary: the table with each step's own time, the counts as the last line, and the exit code.
summary() {
  local i
  echo
  echo "=== summary ($SECONDS s)"
  for i in "${!names[@]}"; do
    printf '%-7s %4d s  %-46s %s\n' "${results[$i]}" "${times[$i]}" "${names[$i]}" "${counts[$i]}"
  done
  echo "$total_passed passed, $total_failed failed, $total_skipped skipped"
  [[ " ${results[*]} " != *" FAILED "* ]]
}

# preset NAME [cmake argument]...: configures and builds one.
preset() {
  local name=$1 folder=build-$1
  shift
  if [ "$name" = release ]; then folder=build; fi
  cmake --preset "$name" "$@" >"$logs/configure" || { cat "$logs/configure"; return 1; }
  cmake --build "$folder" --parallel "$JOBS"
}

tested() {  # tested PRESET [ctest argument]...
  local name=$1
  shift
  preset "$name" && scripts/run-tests "build-$name" "$@"
}

# only ISA...: in a quick run, kernels for base and these instruction sets alone.
only() {
  if [ "${QUICK:-0}" = 1 ]; then local IFS=';'; echo "-DTSR_ISAS_ONLY=base;$*"; else echo "-DTSR_ISAS_ONLY="; fi
}

# labelled PRESET LABEL [cmake argument]...: builds and runs the tests with that label, and no others. Scripts (build_*) look at
# the libraries.
labelled() {
  local folder=build-$1 targets
  cmake --preset "$1" "${@:3}" >"$logs/configure" || { cat "$logs/configure"; return 1; }
  mapfile -t targets < <(ctest --test-dir "$folder" -N -L "$2" | sed -n 's/^ *Test *#[0-9]*: //p' | grep -v '^build_')
  cmake --build "$folder" --parallel "$JOBS" --target tessera_libraries "${targets[@]}" && scripts/run-tests "$folder" -L "$2"
}

# In a quick run without NVIDIA's compiler, which nothing here changes, and without the emulated kernels that take longest: all of them have run
# in make test.
asan_base() {
  local left_out=()
  if [ "${QUICK:-0}" = 1 ]; then
    left_out=(-E '^(compile|gpu_conv|gpu_sort|gpu_attention.*|select|scan|reduction|placement|bench_gpu_tiny)(_test)?$')
  fi
  preset asan "$(only avx512)" && TSR_ISA=base scripts/run-tests build-asan "${left_out[@]}"
}
# Tests that go through every instruction set by themselves, or through none, have done so in the run before.
asan_best() {
  local done='conv|conv_packed|matmul|matmul_gemm|attention|norm|softmax|reduce|cumulative|summary|binary_rows|arg|copy_fast'
  scripts/run-tests build-asan -L 'ops|nn' -E "^($done|sort|search|print)_test\$"
}

fuzzers() { preset fuzz "$(only)" && scripts/fuzz build-fuzz "$@"; }  # fuzzers SECONDS [RUNS]

cppcheck_all() {
  cppcheck --quiet --enable=warning,performance,portability --std=c11 --error-exitcode=3 --inline-suppr -j "$JOBS" \
    --suppressions-list=scripts/cppcheck.suppressions --library=gnu -DTSR_ISA=base -D__GNUC__=12 -UTSR_CHECKED \
    -Iinclude -Isrc -Ibuild/include -Ibuild/private src
}

# Rules that a grep can check.
greps() {
  local bad=0
  no() { if grep -rnE "$2" ${3:-src include} --include='*.[ch]' --include='*.in'; then echo "  ^ $1"; bad=1; fi; }
  no "no assert on input: return a status" '(^|[^_a-z])assert[[:space:]]*\(|<assert\.h>'
  no "no variable length arrays, no alloca" '(^|[^_a-z])alloca[[:space:]]*\('
  no "no unbounded string functions" '(^|[^_a-z])(strcpy|strcat|sprintf|gets)[[:space:]]*\('
  no "nothing unfinished" '(TODO|FIXME|XXX|HACK)'
  no "no fast-math" 'fast-math' 'src include cmake CMakeLists.txt'
  return $bad
}
