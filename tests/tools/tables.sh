#!/usr/bin/env bash
# Tables that are none: what is wrong is said with its line, column and field; tables with gaps are tables.
. "$(dirname "$0")/lib.sh"
printf 'sensor,value\nnorth,1\nsouth,x"2\n' >sensors.csv
run 0 show sensors.csv # words are text: rows.sh has more of it
run 0 validate sensors.csv
says stdout "sensors.csv: whole: csv, 2 tensors"
printf 'sensor\tvalue\nnorth\t1\nsouth\n' >sensors.TSV
wrong "sensors.TSV: line 3" show sensors.TSV
printf '2024-01-31,1\n2024-02-01,2\n' >dates.csv
run 0 show dates.csv
says stdout '2024-01-31'
printf '1 2 3\n4 5 6\n' >blanks.txt
run 0 show blanks.txt
says stdout '4'
printf '# made by hand\n1,2\n' >comment.csv
wrong "comment.csv: line 2, column 2: more fields than the 1 of the first row, which begins with #: is that a comment?" stats comment.csv
run 0 stats --csv comment=# comment.csv
printf 'Dear reader,\nthis is text.\n' >letter.txt
wrong "letter.txt: not a file type that Tessera knows; this looks like text, and as CSV: line 2, column 1: 'this is text.' is no number" ls letter.txt
printf 'a word\n' >word.txt
wrong "word.txt: not a file type that Tessera knows; this looks like text" ls word.txt
printf '{"a": 1}\n' >json.csv
wrong "json.csv: not a file type that Tessera knows; this looks like JSON text" ls json.csv
printf '\001\002\003\004' >bytes.csv
wrong "bytes.csv: not a file type that Tessera knows" ls bytes.csv

# ---- no line begins as a number does, and a table all the same ----
printf 'a,b\n,1\nNA,2\n' >gaps.csv
run 0 show gaps.csv
is stdout <<'END'
gaps: f64 [2,2]
     a  b
0  nan  1
1  nan  2
END
printf 'a,b\n' >header.csv
run 0 ls -m header.csv
says stdout "header  f64    [0,2]"
says stdout "column.1 = b"

# ---- lists of indices ----
wrong "at character 11: there can be one list of indices only" show 'ramp.npy[[2,-8], [1]]'
run 0 show 'ramp.npy[[2,-8], ::4]'
is stdout <<'END'
ramp[[2, -8], ::4]: f32 [2,2]
[[16. 20.]
 [ 0.  4.]]
END
wrong "at character 5: an index is expected" show 'ramp.npy[[1,x]]'
wrong "at character 2: an index" show 'ramp.npy[]'
wrong "at character 3: an index is expected" show 'ramp.npy[[]]'
wrong "out of range" show 'ramp.npy[[0,8]]'
wrong "ramp.npy: '[0]' stands before another slice: give one" show 'ramp.npy[0][0]'
wrong "shape [-1,0]: -1 beside a 0 could be anything" show raw:u8:-1x0:ramp.npy
wrong "offset is more than any file has" show raw:u8@18446744073709551615:ramp.npy
run 0 show 'model.safetensors:enc*[[1,0]]'
says stdout 'encoder.b[[1, 0]]: f32 [2]'
run 0 show 'ramp.npy[0, [1,2]]'
says stdout '[1. 2.]'
wrong "[1]]: at character 4: nothing can follow the slice" show 'ramp.npy[1]]'
run 0 show 'model.safetensors:a[0][1]'
run 0 show 'model.safetensors:a?0?[1]'
says stdout 'a[0][1]: f16 []'
finish
