#!/usr/bin/env bash
# Tables that are none: what is wrong is said with its line, column and field; tables with gaps are tables.
. "$(dirname "$0")/lib.sh"
printf 'sensor,value\nnorth,1\nsouth,2\n' >sensors.csv
wrong "tessera show: sensors.csv: line 2, column 1: 'north' is no number" show sensors.csv
run 1 validate sensors.csv
says stdout "sensors.csv: line 2, column 1: 'north' is no number"
printf 'sensor\tvalue\nnorth\t1\n' >sensors.TSV
wrong "sensors.TSV: line 2, column 1: 'north' is no number" show sensors.TSV
printf 'time,value\n2024-01-31,1\n' >dates.csv
wrong "dates.csv: line 2, column 1: '2024-01-31' is no number" ls dates.csv
printf '2024-01-31,1\n2024-02-01,2\n' >dates.csv
wrong "dates.csv: line 1, column 1: '2024-01-31' is neither a number nor a name; fields end at ','" ls dates.csv
printf '1 2 3\n4 5 6\n' >blanks.txt
wrong "blanks.txt: line 1, column 1: '1 2 3' is neither a number nor a name; fields end at ','" show blanks.txt
printf '# made by hand\n1,2\n' >comment.csv
wrong "comment.csv: line 1, column 1: '# made by hand' begins as a comment does" stats comment.csv
printf 'Dear reader,\nthis is text.\n' >letter.txt
wrong "letter.txt: not a file type that Tessera knows; this looks like text, and as CSV: line 2, column 1: 'this is text.' is no number" ls letter.txt
printf 'a word\n' >word.txt
wrong "word.txt: not a file type that Tessera knows; this looks like text" ls word.txt
"$TESSERA" show - <sensors.csv >stdout 2>stderr && fail "words are no numbers" || pass
says stderr "standard input: not a file type that Tessera knows; this looks like text, and as CSV: line 2, column 1: 'north' is no number"
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
