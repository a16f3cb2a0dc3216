#!/usr/bin/env bash
# Every example of every command's help is run, as it stands there, in a folder with the files that it speaks of.
. "$(dirname "$0")/lib.sh"
PATH=$(dirname "$TESSERA"):$PATH
rm -f cut.safetensors hostile.safetensors page.html pickle.pt
files() {
  cp "$data/model.safetensors" .
  cp model.safetensors weights.safetensors
  cp model.safetensors before.safetensors
  cp model.safetensors after.safetensors
  cp "$data/filters.npy" conv1.npy
  "$TESSERA" convert --dtype bf16 model.safetensors model-bf16.safetensors
  "$TESSERA" merge model.safetensors:head.w -o head.safetensors
  mkdir -p models
  cp model.safetensors models/
  seq 0 63 >digits.txt
  "$TESSERA" convert raw:u8:8x4x4:digits.txt digits.npy
  "$TESSERA" convert raw:u8:4x4x3:digits.txt photo.png
  printf 'time,temperature,wind,state\n0,22.5,3,1\n1,21.75,4,1\n2,nan,5,0\n3,21,4,1\n' >sensors.csv
  printf 'a,b\n1,2\n3,4\n5,6\n' >table.csv
  "$TESSERA" convert 'sensors.csv[:,3]' labels.npy --dtype i32
  cp labels.npy ids.npy
  "$TESSERA" convert --dtype i64 labels.npy ids.npy
  for name in x a one other more big; do "$TESSERA" convert --dtype f32 'table.csv:a[:1]' $name.npy; done
  "$TESSERA" merge --prefix table.csv b.csv -o b.safetensors 2>/dev/null || "$TESSERA" merge x.npy -o b.safetensors
  "$TESSERA" convert --rename 'a=b' a.npy b.npy
  "$TESSERA" merge --prefix a.npy -o activations.npz
  "$TESSERA" merge conv1.npy -o base.npz
  "$TESSERA" merge labels.npy -o all.npz
  "$TESSERA" merge one.npy -o head.npz
  "$TESSERA" merge model.safetensors:encoder.b -o new.npz
  seq 100 184 >sound.au
}
files >made 2>&1 || { fail "the files of the examples"; cat made; finish; }

# What needs a network, a GPU, a terminal or root.
needs_more() { grep -qE 'curl|cuda|tessera view|model\.gguf' <<<"$1"; }

mapfile -t commands < <("$TESSERA" help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')
for command in "${commands[@]}"; do
  while IFS= read -r line; do
    if needs_more "$line"; then continue; fi
    if [ "$command" = plot ] && ! draws; then continue; fi
    if grep -q 'jq' <<<"$line" && ! command -v jq >/dev/null; then line=${line%%| jq*}; fi
    files >made 2>&1
    got=0
    bash -c "$line" >stdout 2>stderr </dev/null || got=$?
    if [ $got = 0 ] || { [ $got = 1 ] && [ "$command" = diff ]; }; then pass; else fail "$line: exit code $got"; cat stderr; fi
  done < <("$TESSERA" help "$command" | sed -n '/^Examples:/,$p' | sed -n 's/^  \([A-Z_0-9= ]*tessera .*\)/\1/p')
done
finish
