# What the tests of the command share. SOURCE, TESSERA and the rest come from CTest; see tests/build/lib.sh.
. "$(dirname "${BASH_SOURCE[0]}")/../build/lib.sh"
: "${TESSERA:=$BUILD/tessera}"
unset NO_COLOR COLUMNS TSR_THREADS
export LC_ALL=C.UTF-8 TERM=xterm-256color
data=$SOURCE/tests/tools/data
cd "$scratch"
cp "$data"/* .

# run CODE COMMAND...: runs tessera with stdout and stderr to files of those names, and checks the exit code.
run() {
  local want=$1 got=0
  shift
  "$TESSERA" "$@" >stdout 2>stderr </dev/null || got=$?
  if [ "$got" = "$want" ]; then pass; else fail "tessera $*: exit code $got instead of $want"; head -n 5 stdout stderr; fi
}

# says FILE TEXT: the file has a line with that text; lines FILE: it is what stdin says, to the byte.
says() { if grep -qF -- "$2" "$1"; then pass; else fail "$1 does not say: $2"; sed 's/^/  /' "$1" | head -n 20; fi; }
silent() { if [ -s "$1" ]; then fail "$1 is not empty:"; head -n 5 "$1"; else pass; fi; }

# wrong TEXT ARGUMENT...: exit code 2, nothing on stdout, and the text on stderr.
wrong() {
  local text=$1
  shift
  run 2 "$@"
  silent stdout
  says stderr "$text"
}
is() {
  cat >want
  if cmp -s want "$1"; then pass; else fail "$1 is not as expected (line ${BASH_LINENO[0]}):"; (diff want "$1" || true) | sed 's/^/  /' | head -n 40; fi
}

# Whether this build draws pictures.
draws() { grep -q "^#define TSR_HAVE_PLOT 1" "$BUILD/include/tessera/config.h"; }
