#!/usr/bin/env bash
# Commands that a signal ends while they write: no temporary file stays, the old file does, and the exit code is the signal's.
. "$(dirname "$0")/lib.sh"
mkdir -p spools empty

# A raw file without an end to be seen soon: its blocks are made while they are written, and the disk needs none for zeros.
dd if=/dev/zero of=big.raw bs=1 count=1 seek=$((1 << 31)) 2>dd.log
run 0 convert ramp.npy old.npy
cp old.npy before.npy

# temporaries: what saves and spools have left.
temporaries() { find . -name '*.tmp~*' -o -path './spools/*' | sort; }

# until_there: waits until the command has a temporary file of at least 1 MB, or has ended.
until_there() {
  local i
  for ((i = 0; i < 2000; i++)); do
    if [ -n "$(find . -name '*.tmp~*' -size +1000k; find spools -type f -size +1000k)" ]; then return 0; fi
    kill -0 "$1" 2>/dev/null || return 1
    sleep 0.005
  done
  return 1
}

# killed SIGNAL WHAT COMMAND...: starts it, sends the signal while it writes, and looks at what is left.
killed() {
  local signal=$1 what=$2 pid code=0
  shift 2
  TMPDIR=$PWD/spools "$@" &
  pid=$!
  if until_there "$pid"; then pass; else fail "$what: nothing to interrupt"; fi
  kill -s "$signal" "$pid"
  wait "$pid" || code=$?
  if [ $code = $((128 + $(kill -l "$signal"))) ]; then pass; else fail "$what, $signal: exit code $code"; fi
  if [ "$signal" = KILL ]; then return; fi
  if [ -z "$(temporaries)" ]; then pass; else fail "$what, $signal: left $(temporaries)"; rm -rf ./*.tmp~* spools/*; fi
  if cmp -s old.npy before.npy; then pass; else fail "$what, $signal: the old file is another"; fi
}

set -m # or what runs in the background would ignore INT
for signal in INT TERM HUP QUIT; do killed $signal convert "$TESSERA" convert raw:u8:-1:big.raw old.npy; done
killed TERM "convert with another dtype" "$TESSERA" convert --dtype f32 raw:u8:-1:big.raw old.npy
killed TERM "convert to a pipe" "$TESSERA" convert --to npy raw:u8:-1:big.raw - >/dev/null
killed TERM "convert from a pipe" "$TESSERA" convert - old.npy < <(cat old.npy /dev/zero)
killed PIPE "convert from a pipe" "$TESSERA" convert - old.npy < <(cat old.npy /dev/zero)

# Ignored signals stay ignored: nohup.
code=0
"$BASH" -c 'trap "" HUP; "$@" & pid=$!; sleep 0.3; kill -HUP $pid 2>/dev/null; wait $pid' _ "$TESSERA" convert \
  "raw:u8:-1:big.raw[:60000000]" other.npy || code=$?
if [ $code = 0 ] && [ -s other.npy ]; then pass; else fail "an ignored hangup ended the command: $code"; fi

# A process that is killed cannot tidy up; what it leaves does not stand in the way of a later save.
killed KILL convert "$TESSERA" convert raw:u8:-1:big.raw old.npy
if [ -n "$(temporaries)" ] && cmp -s old.npy before.npy; then pass; else fail "killed: the old file is another"; fi
run 0 convert ramp.npy old.npy
rm -f ./*.tmp~*
finish
