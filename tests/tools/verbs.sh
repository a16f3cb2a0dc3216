#!/usr/bin/env bash
# Tables by their columns, and the verbs that look at tensors or put files together: head, tail, sort, unique, hist, merge, quantize.
. "$(dirname "$0")/lib.sh"
cat >s.csv <<'END'
time,temp,"wind, gusts",7
0,22.5,3,1
0.5,21.75,4,1
1,nan,5,0
1.5,21,inf,1
END

# ---- columns by name ----
run 0 show s.csv
is stdout <<'END'
s: f64 [4,4]
   time   temp  wind, gusts  7
0   0.0  22.50            3  1
1   0.5  21.75            4  1
2   1.0    nan            5  0
3   1.5  21.00          inf  1
END
run 0 show s.csv:temp
is stdout <<'END'
temp: f64 [4] strides [4]
    temp
0  22.50
1  21.75
2    nan
3  21.00
END
run 0 show 's.csv:temp,time[1:3]'
is stdout <<'END'
temp,time[1:3]: f64 [2,2]
    temp  time
0  21.75   0.5
1    nan   1.0
END
run 0 show 's.csv:wind, gusts[0]'
says stdout 'wind, gusts[0]: f64 []'
run 0 show --plain s.csv
says stdout '[[ 0.   22.5   3.    1.  ]'
run 0 show s.csv:7  # a name before a number
says stdout '0  1'
run 0 show s.csv:-1,0
says stdout '7  time'
wrong "s.csv has no column 'tmep'; near are 'temp', 'time'" show s.csv:tmep
wrong "s.csv has no column 'temp,nothing'" show s.csv:temp,nothing
run 0 convert s.csv:temp,7 part.csv
is part.csv <<'END'
temp,7
22.5,1
21.75,1
nan,0
21,1
END
run 0 convert 's.csv:temp[::-1]' part.csv
is part.csv <<'END'
temp
21
nan
21.75
22.5
END
run 0 convert s.csv s.safetensors  # names go along
run 0 show 's.safetensors:time[:1]'
says stdout '   time'
run 0 calc 'sum(x)' x=s.csv:time
is stdout <<'END'
3.
END
printf '1,2\n3,4\n' >bare.csv
run 0 show bare.csv
is stdout <<'END'
bare: f64 [2,2]
   0  1
0  1  2
1  3  4
END

# What the page on the first program shows.
cp "$SOURCE/examples/data/sensors.csv" .
run 0 show sensors.csv
sed -n '/^\$ tessera show sensors.csv/,/^```/p' "$SOURCE/docs/first-program.md" | sed '1d;$d' >page.txt
check "docs/first-program.md shows what show prints" cmp stdout page.txt

# Long tables are shortened, wide ones are not where nobody asks for it.
{ echo n,sq; for i in $(seq 0 99); do echo "$i,$((i * i))"; done; } >long.csv
run 0 show long.csv
if [ "$(wc -l <stdout)" = 23 ]; then pass; else fail "a table of 100 rows: $(wc -l <stdout) lines"; fi
says stdout '99  99  9801'
run 0 show -a long.csv
if [ "$(wc -l <stdout)" = 102 ]; then pass; else fail "all of it: $(wc -l <stdout) lines"; fi
run 0 show --width 20 s.csv
says stdout 'and 2 columns more'

# ---- stats ----
run 0 stats s.csv
is stdout <<'END'
name         dtype  shape  min   max   mean       std  zeros  nan  inf
time         f64    [4]      0   1.5   0.75  0.559017      1    0    0
temp         f64    [4]     21  22.5  21.75  0.612372      0    1    0
wind, gusts  f64    [4]      3     5      4  0.816497      0    0    1
7            f64    [4]      0     1   0.75  0.433013      1    0    0
END
run 0 stats --where s.csv:temp ramp.npy
says stdout 's.csv (csv)'
says stdout 'ramp.npy (npy)'
says stdout '1  [2]'
run 0 stats --where --json s.csv
says stdout '"first_nan": [2]'
says stdout '"first_inf": [3]'
run 0 stats --where --quantiles s.csv
says stdout '99%  nan  first nan  inf  first inf'
run 0 stats --where complex.safetensors

# ---- head, tail ----
run 0 head -n 1 s.csv
is stdout <<'END'
s: f64 [4,4]
   time  temp  wind, gusts  7
0     0  22.5            3  1
END
run 0 tail -n 1 s.csv
is stdout <<'END'
s: f64 [4,4]
   time  temp  wind, gusts  7
3   1.5    21          inf  1
END
run 0 tail -n 1 model.safetensors:ids 'ramp.npy[0]' 'ramp.npy[0,0]'
says stdout 'ids: i64 [5]'
run 0 head -n 0 ramp.npy
wrong "--rows: 'x' is no number" head -n x ramp.npy

# ---- sort ----
run 0 sort --by temp --reverse s.csv
is stdout <<'END'
s: f64 [4,4]
   time   temp  wind, gusts  7
0   0.0  22.50            3  1
1   0.5  21.75            4  1
2   1.5  21.00          inf  1
3   1.0    nan            5  0
END
run 0 sort s.csv:temp -o sorted.csv
is sorted.csv <<'END'
temp
21
21.75
22.5
nan
END
run 0 sort -r 'ramp.npy[0]'
says stdout '[7. 6. 5. 4. 3. 2. 1. 0.]'
run 0 sort --axis 0 -r s.csv
says stdout '0   1.5'
wrong "--by: s.csv has no column 'x'" sort --by x s.csv
wrong "has no columns" sort --by x 'ramp.npy[0]'
wrong "has 6 tensors; take one" sort model.safetensors
wrong "one number has no order" sort 'ramp.npy[0,0]'

# ---- unique, hist ----
run 0 unique s.csv:7
is stdout <<'END'
7: f64 [4] strides [4]
value  count
    0      1
    1      3
2 different values
END
run 0 unique --often -n 1 s.csv:7
is stdout <<'END'
7: f64 [4] strides [4]
value  count
    1      3
2 different values, and 1 of them not shown: -n all
END
run 0 unique -n all ramp.npy
says stdout '64 different values'
run 0 unique none.npy
says stdout '0 different values'
run 0 hist --bins 2 'ramp.npy[0]'
says stdout '           0  '
run 0 hist complex.safetensors
says stdout 'the magnitudes'

# ---- merge ----
run 0 merge s.csv:temp model.safetensors -o all.npz
says stderr 'the metadata is left out'
run 0 ls all.npz
says stdout '7 tensors'
run 0 merge all.npz ramp.npy -o all.safetensors
run 0 diff all.safetensors:ramp ramp.npy
run 0 diff all.safetensors:encoder.w model.safetensors:encoder.w
wrong "there is a tensor 'encoder.w' already; --prefix puts" merge model.safetensors all.npz -o x.npz
check "nothing was written" test ! -e x.npz
run 0 merge --prefix model.safetensors all.npz -o x.safetensors
run 0 show x.safetensors:all.ids
"$TESSERA" convert --dtype i64=f32 model.safetensors:ids other.npz 2>/dev/null
run 0 merge --replace model.safetensors other.npz -o model.safetensors  # over one that is read
run 0 ls model.safetensors:ids
says stdout 'ids   f32'
cp "$data/model.safetensors" .
wrong "--output says where it goes" merge model.safetensors
wrong "a .npy file one" merge model.safetensors ramp.npy -o x.npy
run 0 merge foreign.safetensors ramp.npy -o x.safetensors
run 0 ls x.safetensors:scale
says stdout 'scale  f32'

# ---- quantize ----
run 0 quantize model.safetensors -o m8.safetensors --per-channel
says stdout '2 tensors as i8, 551 B to 227 B'
run 0 ls m8.safetensors
says stdout 'encoder.w             i8     [2,8,6]'
says stdout 'encoder.w.scale       f32    [2,1,1]'
says stdout 'encoder.w.zero_point  i32    [2,1,1]'
run 0 calc 'max(abs(f32(q - z)*s - w)) < 0.032' q=m8.safetensors:encoder.w z=m8.safetensors:encoder.w.zero_point \
  s=m8.safetensors:encoder.w.scale w=model.safetensors:encoder.w
says stdout True
run 0 quantize --affine --dtype u8 --select encoder.w model.safetensors -o m8.npz
run 0 show m8.npz:encoder.w.zero_point
says stdout '[[[86]]]'
run 0 quantize --percent 90 model.safetensors -o m8.safetensors
wrong "--percent is for whole tensors" quantize --per-channel --percent 90 model.safetensors -o x.npz
wrong "--axis: head.w has no axis 2" quantize --axis 2 model.safetensors -o x.npz
wrong "--dtype: 'i4' is none of i8, u8" quantize --dtype i4 model.safetensors -o x.npz
wrong "--output says where it goes" quantize model.safetensors
wrong "--select: 'nosuch' is none of" quantize --select nosuch model.safetensors -o x.npz

# ---- folders ----
mkdir models
cp ramp.npy model.safetensors models
echo nothing >models/notes.txt
run 0 ls models
is stdout <<'END'
file               format       tensors  elements  bytes
model.safetensors  safetensors        6       124  551 B
ramp.npy           npy                1        64  256 B
1 other file
7 tensors, 188 elements, 807 B
END
run 0 ls models/ ramp.npy
says stdout 'all files: 8 tensors'
run 0 ls --json models
says stdout '"file": "models/ramp.npy"'

# ---- a checkpoint of several files is one ----
"$TESSERA" merge model.safetensors:encoder.w model.safetensors:ids -o model-1.safetensors
"$TESSERA" merge model.safetensors:head.w -o model-2.safetensors
index() { printf '{"metadata": {"total_size": 520, "x": [1, {"y": null}]}, "weight_map": {%s}}' "$1" >m.safetensors.index.json; }
index '"head.w": "model-2.safetensors", "encoder.w": "model-1.safetensors"'
run 0 ls m.safetensors.index.json
says stdout '2 tensors, 108 elements, 480 B'
run 0 diff m.safetensors.index.json:head.w model.safetensors:head.w
run 0 convert m.safetensors.index.json one.safetensors
run 0 diff one.safetensors:encoder.w model.safetensors:encoder.w
run 0 validate m.safetensors.index.json
says stdout 'whole: shards, 2 tensors'
index '"head.w": "model-3.safetensors"'
wrong "model-3.safetensors: cannot be opened" ls m.safetensors.index.json
for name in ../model-2.safetensors /model-2.safetensors .hidden '' 'a\\b' 'c:x'; do
  index "\"head.w\": \"$name\""
  wrong "this is no name of a file beside the index" ls m.safetensors.index.json
done
index '"nothing": "model-2.safetensors"'
wrong "'nothing' is not in its file" ls m.safetensors.index.json
index '"head.w": "model-2.safetensors", "head.w": "model-2.safetensors"'
wrong "tensor 'head.w' appears twice" ls m.safetensors.index.json
printf '{"weight_map": {}, "weight_map": {}}' >m.safetensors.index.json
wrong "weight_map appears twice" ls m.safetensors.index.json
printf '{"weight_map": {}} x' >m.safetensors.index.json
wrong "text behind the end" ls m.safetensors.index.json
printf '{"weight_map": {}, "x": %s}' "$(printf '[%.0s' $(seq 100))" >m.safetensors.index.json
wrong "more than 64 levels" ls m.safetensors.index.json
printf '{"weight_map": {"a": 1}}' >m.safetensors.index.json
run 2 ls m.safetensors.index.json

# ---- the dtypes that no tensor has ----
run 0 show foreign.safetensors:scale
says stdout 'scale: f32 [2,4]'
run 0 ls foreign.safetensors
says stdout 'F8_E8M0  [2,4]'
run 0 stats foreign.safetensors
run 0 convert --dtype bf16 foreign.safetensors wide.safetensors
run 0 ls wide.safetensors
says stdout 'bf16'
finish
