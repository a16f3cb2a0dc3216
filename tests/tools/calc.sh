#!/usr/bin/env bash
# calc: expressions over files, printed or written; what is wrong with them, with its column.
. "$(dirname "$0")/lib.sh"
run 0 calc '1 + 2*3'
is stdout <<<7
run 0 calc '2**0.5'
is stdout <<<1.41421356
run 0 calc '-2*3'
is stdout <<<-6
run 0 calc '-(1 + x)' x=4
is stdout <<<-5
run 0 calc -- '-x' x=4
is stdout <<<-4
wrong "there is no option -x; an operand that begins with - goes behind --" calc '-x' x=4
run 0 calc 'ramp[:2, :3]*2 + 1' ramp=ramp.npy
is stdout <<'END'
[[ 1.  3.  5.]
 [17. 19. 21.]]
END
run 0 calc 'x.T + k*h' 'x=ramp.npy[:2, :3]' k=10 h=0.5
is stdout <<'END'
[[ 5. 13.]
 [ 6. 14.]
 [ 7. 15.]]
END
run 0 calc 'mean(x, axis=0)' 'x=ramp.npy[:, :4]' --precision 2
is stdout <<<'[28. 29. 30. 31.]'
run 0 calc 'd = a - b; sqrt(mean(d*d))' a=ramp.npy b=ramp.npy
is stdout <<<0.
run 0 calc 'x[x > 61]' x=ramp.npy
is stdout <<<'[62. 63.]'
run 0 calc 'sum(w, axis=(0, 1))[:2]' w=model.safetensors:encoder.w
[ "$(wc -l <stdout)" = 1 ] && pass || fail "one line of sums"

# ---- written ----
run 0 calc 'x*2 + x.T' x=ramp.npy -o twice.npy
silent stdout
silent stderr
run 0 calc 'all(a == b*2 + b.T)' a=twice.npy b=ramp.npy
is stdout <<<True
run 0 calc 'bf16(x)' x=ramp.npy -o half.safetensors --name head.w
run 0 ls half.safetensors
says stdout "head.w"
says stdout "bf16"
cp ramp.npy own.npy
run 0 calc 'x + 1' x=own.npy -o own.npy
run 0 calc 'max(abs(a - b - 1))' a=own.npy b=ramp.npy
is stdout <<<0.
run 0 calc 'x' x=ramp.npy -o - --to npy
check "a file through standard output" cmp stdout <("$TESSERA" convert --to npy ramp.npy -)
"$TESSERA" calc 'x + 1' x=- <ramp.npy >stdout && pass || fail "standard input"

# ---- wrong ----
run 2 calc 'x + y[:3]' x=ramp.npy y=ramp.npy
silent stdout
is stderr <<'END'
tessera calc: column 3: y[:3] [3,8] does not broadcast with x [8,8]
  x + y[:3]
    ^
END
wrong "column 1: there is no op 'men'; did you mean 'mean'?" calc 'men(x)' x=ramp.npy
wrong "column 5: 'y' is not bound" calc 'x + y' x=ramp.npy
wrong "column 5: an operand is expected, the text ends" calc 'x + ' x=ramp.npy
wrong "'x' is no NAME=FILE and no NAME=NUMBER" calc 'x' x
wrong "'1x=ramp.npy' is no NAME=FILE" calc '1' 1x=ramp.npy
wrong "x: model.safetensors has" calc 'x' x=model.safetensors
wrong "'x' is there twice" calc 'x' x=1 x=2
wrong "'pi' has a meaning already" calc 'pi' pi=3 x=2
wrong "no such.npy" calc 'x' 'x=no such.npy'
wrong "write f64(n) * 0.5" calc 'n * 0.5' 'n=raw:u8:4:ramp.npy[:4]'
wrong "there is no option --nam" calc x x=1 --nam 3
ls >before
run 2 calc 'x + y' x=ramp.npy -o never.npy
run 2 calc 'x' x=ramp.npy -o nowhere/never.npy
ls | diff before - && pass || fail "a failed calc leaves a file"
finish
