# Steps for .ci/run and scripts/ci-full: each is named, timed and counted. Sourced from the root of the project.
set -euo pipefail
: "${JOBS:=2}"
export JOBS
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
names=() results=() times=() counts=()
total_passed=0 total_failed=0 total_skipped=0

# step NAME COMMAND...: runs it; its counts are its last line "N passed, N failed, N skipped", else it counts as one test.
step() {
  local name=$1 log=$logs/step began=$SECONDS ok=1 line p=0 f=0 s=0
  shift
  echo
  echo "=== $name"
  ("$@") 2>&1 | tee "$log" || ok=0
  line=$(grep -E '^[0-9]+ passed, [0-9]+ failed(, [0-9]+ skipped)?$' "$log" | tail -n 1 || true)
  if [ -n "$line" ]; then
    read -r p f s < <(tr -dc '0-9 \n' <<<"$line" | tr -s ' ')
  elif [ $ok = 1 ]; then
    p=1
  fi
  if [ $ok = 0 ] && [ "$f" = 0 ]; then f=1; fi
  total_passed=$((total_passed + p)) total_failed=$((total_failed + f)) total_skipped=$((total_skipped + ${s:-0}))
  names+=("$name") times+=($((SECONDS - began))) counts+=("$p passed, $f failed, ${s:-0} skipped")
  if [ $ok = 1 ]; then results+=(ok); else results+=(FAILED); fi
}

# summary: the table, the counts as the last line, and the exit code.
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

asan_base() { preset asan "$(only avx512)" && TSR_ISA=base scripts/run-tests build-asan; }
# Tests that go through every instruction set by themselves, or through none, have done so in the run before.
asan_best() {
  local done='conv|conv_packed|matmul|matmul_gemm|attention|norm|softmax|reduce|cumulative|summary|binary_rows|arg|copy_fast'
  scripts/run-tests build-asan -L 'ops|nn' -E "^($done|sort|search|print)_test\$"
}

fuzzers() { preset fuzz "$(only)" && scripts/fuzz build-fuzz "$1"; }

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
