#!/usr/bin/env bash
# What goes wrong is said on stderr, in one line that helps, and ends with 2; standard input and output, pipes, full disks.
. "$(dirname "$0")/lib.sh"

wrong "tessera: there is no command 'shw'; did you mean 'show'? (tessera help)" shw
wrong "tessera: there is no command 'frobnicate' (tessera help)" frobnicate
wrong "tessera show: there is no option --hsit; did you mean --hist? (tessera help show)" show --hsit odd.npy
wrong "there is no option --zzzzzzz (tessera help show)" show --zzzzzzz odd.npy
wrong "there is no option -Z" show -Z odd.npy
wrong "-p needs a value: DIGITS" show -p
wrong "--precision needs a value: DIGITS" show --precision
wrong "--heat takes no value" show --heat=1 odd.npy
wrong "--bins: 'x' is no number from 1 to 1000" stats --bins x odd.npy
wrong "--bins: '0' is no number" stats --bins 0 odd.npy
wrong "--rtol: 'nan' is no number" diff --rtol nan odd.npy odd.npy
wrong "--color: 'pink' is none of auto, always, never" show --color=pink odd.npy
wrong "--map: 'jet' is none of dusk, gray, diverging" show --heat --map jet odd.npy
wrong "too few arguments: tessera diff" diff odd.npy
wrong "too many arguments: tessera info" info odd.npy
wrong "model.safetensors has no tensor 'encodr.w'; near are 'encoder.w', 'encoder.b'" show model.safetensors:encodr.w
wrong "did you mean 'head.w'?" show model.safetensors:haed.w
wrong "model.safetensors has no tensor 'nothing like it' (tessera ls lists them)" show 'model.safetensors:nothing like it'
wrong "odd[5]: index 5 is out of range for axis 0 of f32 [3,4]" show 'odd.npy[5]'
wrong "[0: at character 3: ',' or ']' is expected" show 'odd.npy[0'
wrong "[0;1]: at character 3" show 'odd.npy[0;1]'
wrong "axis 2 is out of range" show 'odd.npy[0,0,0]'
run 2 ls pickle.pt model.gguf page.html .
says stderr "pickle.pt: not a file type that Tessera knows; this looks like a Python pickle"
says stderr "model.gguf: byte 0: the file ends inside its preamble"
says stderr "this looks like HTML or XML text"
run 2 show .
says stderr "tessera show: .: a folder, not a file"
wrong "x.xyz: the end of this name is no format: say one with --to" convert odd.npy x.xyz
wrong "the bundle holds 6 tensors, a .npy file one; take one" convert model.safetensors x.npy
wrong "there is no format 'gif'; there are npy" convert --to gif odd.npy x
wrong "for standard output, say which format" convert odd.npy -
wrong "--dtype: 'f99' is not DTYPE or FROM=TO" convert --dtype f99 odd.npy x.npy
wrong "--layout: 'XYZ' is none of" convert --layout XYZ odd.npy x.npy
wrong "--rename: 'x' is not OLD=NEW" convert --rename x odd.npy x.npy
wrong "--select: 'zz*' is none of the 6 tensors" convert --select 'zz*' model.safetensors x.safetensors
wrong "no file can be made beside it" convert odd.npy no/such/folder.npy
if "$TESSERA" info | hears '^formats.* png'; then
  wrong "x.png: image f32 [3,4]: only u8 and u16 are images, and floats that are all from 0 to 1; --dtype u8 converts" convert odd.npy x.png
fi
if draws; then
  wrong "say where the picture goes" plot odd.npy
  wrong "names 6 tensors: say which" plot model.safetensors -o x.png
  wrong "none has no elements" plot none.npy -o x.png
  wrong "--kind: 'pie' is none of heat, hist, line, grid, image" plot --kind pie odd.npy -o x.png
fi

# ---- file names with colons and brackets ----
cp odd.npy 'a:b[0].npy'
run 0 stats 'a:b[0].npy' 'a:b[0].npy[0]'
says stdout 'a:b[0][0]'

# ---- standard input and output ----
"$TESSERA" stats - <odd.npy >stdout 2>stderr && pass || fail "stats of standard input"
says stdout "stdin  f32    [3,4]   -2    8   1.5  2.72845      2    1    2"
"$TESSERA" show '-:encoder.w[0,0]' <model.safetensors >stdout && pass || fail "a tensor of standard input"
says stdout "encoder.w[0, 0]: f32 [6]"
"$TESSERA" convert --to npy - - <odd.npy | cmp - odd.npy && pass || fail "convert between pipes"
"$TESSERA" validate - <cut.safetensors >stdout && fail "a broken standard input passes" || pass
says stdout "standard input: header: byte 484"
"$TESSERA" diff - - <odd.npy >stdout 2>stderr && fail "standard input is two files" || pass
says stderr "standard input can be read once"
if [ -e /dev/fd/0 ]; then # pipes that a shell has opened
  "$TESSERA" diff <(cat odd.npy) <(cat odd.npy) >stdout 2>stderr && pass || fail "diff of two pipes"
  says stdout "1 the same, 0 different"
  "$TESSERA" validate <(cat odd.npy) >stdout 2>stderr && pass || fail "validate of a pipe"
  "$TESSERA" ls <(cat model.safetensors) >stdout 2>stderr && pass || fail "ls of a pipe"
  says stdout "encoder.w"
  "$TESSERA" show <(cat page.html) >stdout 2>stderr && fail "a page is no tensor" || pass
  says stderr "this looks like HTML"
fi
if [ -n "$(find "${TMPDIR:-/tmp}" -maxdepth 1 -name 'tessera-*' -newer want 2>/dev/null)" ]; then fail "folders are left behind"; else pass; fi
mkfifo pipe
for command in ls show stats validate; do # none waits for a writer
  run 2 $command pipe
  says stderr "pipe: no plain file; a pipe is read as -"
done

# ---- output that cannot be written ----
for command in "ls model.safetensors" "show odd.npy" "stats odd.npy" "help" "--help" "info" "convert --to npy odd.npy -"; do
  code=0
  "$TESSERA" $command >/dev/full 2>stderr || code=$?
  if [ $code = 2 ]; then pass; else fail "$command on a full disk: exit code $code"; fi
  says stderr "standard output: writing failed: No space left on device"
  if [ "$(wc -l <stderr)" = 1 ]; then pass; else fail "$command on a full disk: said more than once"; fi
done
run 2 convert odd.npy /dev/full --to npy
says stderr "No space left on device"

# ---- a reader that goes away: no message, no wait ----
for command in "show --all ramp.npy" "ls model.safetensors" "help convert" "convert --to npy ramp.npy -"; do
  ("$TESSERA" $command 2>stderr || true) | true
  silent stderr
done

# ---- colours ----
run 0 ls model.safetensors
if grep -q $'\x1b' stdout; then fail "colours in a file"; else pass; fi
run 0 ls --color always model.safetensors
says stdout $'\x1b[1mname'
if command -v script >/dev/null; then
  on_terminal() { script -qec "$*" /dev/null </dev/null >stdout 2>&1 || true; }
  on_terminal "'$TESSERA' ls model.safetensors"
  says stdout $'\x1b[1mname'
  NO_COLOR=1 on_terminal "'$TESSERA' ls model.safetensors"
  if grep -q $'\x1b' stdout; then fail "NO_COLOR is not honoured"; else pass; fi
  TERM=dumb on_terminal "'$TESSERA' ls model.safetensors"
  if grep -q $'\x1b' stdout; then fail "colours on a dumb terminal"; else pass; fi
  COLUMNS=44 on_terminal "'$TESSERA' ls hostile.safetensors"
  says stdout ".."
  # 128 MB of numbers as text: long enough for a bar, which is gone at the end
  { printf '\x93NUMPY\x01\x00\x76\x00'; printf "%-117s\n" "{'descr': '<f4', 'fortran_order': False, 'shape': (8192, 4096), }"; head -c 134217728 /dev/zero; } >big.npy
  on_terminal "'$TESSERA' convert big.npy big.csv"
  says stdout "] "
  if tail -c 1 stdout | hears $'\r'; then pass; else fail "the bar is left behind"; fi
  "$TESSERA" convert big.npy big.csv >stdout 2>stderr
  silent stdout
  silent stderr # no bar where there is no terminal
  rm -f big.npy big.csv
  on_terminal "'$TESSERA' convert --to npy odd.npy -"
  says stdout "standard output is a terminal"
else
  skip "script is not installed: nothing was run on a terminal"
fi
finish
