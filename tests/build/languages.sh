#!/usr/bin/env bash
# The programs of docs/other-languages.md, where there are compilers for them: each prints what stands below it.
. "$(dirname "$0")/lib.sh"
page=$SOURCE/docs/other-languages.md
block() { awk -v begin="\`\`\`$1" '$0 == begin { on = 1; next } /^```/ { on = 0 } on' "$page"; }
# printed LANGUAGE: the block after that of the language.
printed() { awk -v begin="\`\`\`$1" '$0 == begin { seen = 1; next } seen && /^```/ { fence++; next } seen && fence == 2 { print } fence == 3 { exit }' "$page"; }
links=()
for name in z png16 jpeg; do if ldconfig -p 2>/dev/null | hears "lib$name\.so "; then links+=("$name"); fi; done
runs() {  # runs LANGUAGE PROGRAM
  "$2" >"$scratch/said" 2>&1 || true
  printed "$1" >"$scratch/printed"
  if diff "$scratch/said" "$scratch/printed"; then pass; else fail "the program in $1 prints something else"; fi
}
cd "$scratch" || exit
if command -v rustc >/dev/null && command -v bindgen >/dev/null; then
  echo '#include <tessera/tessera.h>' >all.h
  block rust >main.rs
  if bindgen all.h --allowlist-file '.*/tessera/.*' -o tessera.rs -- -I"$SOURCE/include" -I"$BUILD/include" >output 2>&1 &&
    rustc -O main.rs -L "$BUILD" -l static=tessera "${links[@]/#/-ldylib=}" -l m -o rust_program >>output 2>&1; then
    runs rust ./rust_program
  else
    fail "the program in Rust"; tail -n 5 output
  fi
else
  skip "no rustc or no bindgen"
fi
if command -v gfortran >/dev/null; then
  block fortran >calls.f90
  if gfortran calls.f90 "$BUILD/libtessera.a" "${links[@]/#/-l}" -lm -lpthread -ldl -o fortran_program >output 2>&1; then
    runs fortran ./fortran_program
  else
    fail "the program in Fortran"; tail -n 5 output
  fi
else
  skip "no gfortran"
fi
finish
