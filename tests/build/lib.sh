# Counts for the scripts of this folder. SOURCE, BUILD, CC, CMAKE and NM come from CTest.
set -euo pipefail
: "${SOURCE:=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)}"
: "${BUILD:=$SOURCE/build}" "${CC:=cc}" "${CMAKE:=cmake}" "${NM:=nm}"
passed=0 failed=0 skipped=0
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

pass() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAILED  $*"; }
skip() { skipped=$((skipped + 1)); echo "skipped $*"; }

# check NAME COMMAND...: passes when the command does; its output shows only when it fails.
check() {
  local name=$1
  shift
  if "$@" >"$scratch/output" 2>&1; then pass; else fail "$name"; sed 's/^/  /' "$scratch/output" | head -n 40; fi
}

# COMMAND | hears GREP-ARGUMENTS: grep -q that reads to the end. grep alone leaves at the first match, and whoever still writes
# has then failed, for pipefail.
hears() { local all; all=$(cat); grep -q "$@" <<<"$all"; }

finish() {
  echo "$passed passed, $failed failed, $skipped skipped"
  if [ $failed -gt 0 ]; then exit 1; fi
  if [ $passed -eq 0 ] && [ $skipped -gt 0 ]; then exit 77; fi
  exit 0
}

find_cxx() { command -v "${CXX:-c++}" || command -v g++ || command -v clang++ || true; }
