#!/usr/bin/env bash
# The names of a table's columns follow a slice of it, in tables and as metadata.
. "$(dirname "$0")/lib.sh"
printf 'a,b,c,d\n1,2,3,4\n5,6,7,8\n9,10,11,12\n' >t.csv
is_header() {
  local got
  got=$(head -n 1 "$1")
  if [ "$got" = "$2" ]; then pass; else fail "$1 begins with '$got' instead of '$2'"; fi
}
while read -r part want; do
  run 0 convert "t.csv$part" part.csv
  is_header part.csv "$want"
  run 0 convert "t.csv$part" part.safetensors  # and as metadata
  run 0 convert part.safetensors part.tsv
  is_header part.tsv "$(tr , '\t' <<<"$want")"
done <<'END'
[:,1:3] b,c
[:,::-1] d,c,b,a
[::-1] a,b,c,d
[1:,::2] a,c
[:,2] c
[1,2] c
[0] 1
[None,0,:] a,b,c,d
[:,None,1] b
[0,:,None] 1
[:,-1:] d
END
run 0 convert 't.csv[0:0]' none.csv
run 0 convert 't.csv[0,None,None]' three.safetensors
run 0 ls -m three.safetensors
if grep -q column stdout; then fail "names of columns that are gone"; else pass; fi
printf 'a,,c\n1,2,3\n' >gap.csv
run 0 convert 'gap.csv[:,1:]' part.csv
is_header part.csv ",c"
run 0 convert 't.csv[:,1:3]' part.safetensors
run 0 convert 'part.safetensors[:,1]' part.csv  # a slice of a slice
is_header part.csv c
run 0 ls -m model.safetensors:ids               # other metadata stays
says stdout 'made by = a test'
finish
