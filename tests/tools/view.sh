#!/usr/bin/env bash
# The viewer in a terminal of the tests' own: keys are pressed, and each screen is the recorded one.
. "$(dirname "$0")/lib.sh"
python=$(command -v python3) || { skip "python3 is not installed"; finish; }
"$python" -c 'import pty, termios' 2>/dev/null || { skip "no terminals here"; finish; }
printf 'time,temp,wind\n0,22.5,3\n1,22.75,4\n2,nan,5\n3,21,inf\n' >columns.csv
for session in "$SOURCE"/tests/tools/sessions/*.txt; do
  check "$(basename "$session")" "$python" "$SOURCE/tests/tools/terminal.py" "$TESSERA" "$session" ${RECORD:+--record}
done

# Without a terminal it says so, and what to do.
wrong "standard output is no terminal: show and stats write to files" view model.safetensors
wrong "nosuch.npy: cannot be opened" view nosuch.npy
finish
