#!/usr/bin/env bash
# Tables with words, dates, times and missing values, and how text is told to be one.
. "$(dirname "$0")/lib.sh"
cat >w.csv <<'END'
date,city,temp,n,ok
2024-01-31,Oslo,-3.5,1,true
2024-02-01,"São Paulo, BR",31.25,,false
2024-02-03,,,3,true
2024-02-03,Bergen,2,4,true
END
run 0 show w.csv
is stdout <<'END'
w.csv: 4 rows, 5 columns
         date  city            temp    n     ok
0  2024-01-31  Oslo           -3.50    1   true
1  2024-02-01  São Paulo, BR  31.25  nan  false
2  2024-02-03                   nan    3   true
3  2024-02-03  Bergen          2.00    4   true
END
run 0 show w.csv:city,date
says stdout '0  Oslo           2024-01-31'
run 0 show 'w.csv:date[-1]'
says stdout '19756'
run 0 show 'w.csv[::2]'
says stdout '1  2024-02-03         nan  3  true'
run 0 head -n 1 w.csv
says stdout '0  2024-01-31  Oslo  -3.5  1  true'
run 0 tail -n 1 w.csv:city
says stdout '3  Bergen'
run 0 ls w.csv
says stdout 'date  date   [4]     32 B'
says stdout 'city  text   [4]     16 B'
wrong "w.csv has no column 'ctiy'; did you mean 'city'?" show w.csv:ctiy
wrong "w.csv has no column 'x'" show w.csv:city,x

# ---- numbers of it ----
run 0 stats w.csv
is stdout <<'END'
name  dtype  shape         min         max        mean       std  zeros  nan  inf
date  date   [4]    2024-01-31  2024-02-03  2024-02-01                     0
city  text   [4]                                                           1
temp  f64    [4]          -3.5       31.25     9.91667   15.2511      0    1    0
n     f64    [4]             1           4     2.66667   1.24722      0    1    0
ok    bool   [4]             0           1        0.75  0.433013      1    0    0
END
run 0 stats --json w.csv
says stdout '"dtype": "date"'
run 0 stats --where --quantiles w.csv
run 0 unique w.csv:city w.csv:ok w.csv:date
says stdout 'São Paulo, BR      1'
says stdout '2024-02-03      2'
says stdout ' true      3'
run 0 hist w.csv:temp
run 0 calc 'max(x) - min(x)' x=w.csv:n
says stdout nan

# ---- in another order, and elsewhere ----
run 0 sort --by city w.csv -o sorted.csv
is sorted.csv <<'END'
date,city,temp,n,ok
2024-02-03,Bergen,2,4,true
2024-01-31,Oslo,-3.5,1,true
2024-02-01,"São Paulo, BR",31.25,,false
2024-02-03,,,3,true
END
run 0 sort --by date -r w.csv
says stdout '3  2024-01-31  Oslo'
wrong "--by: w.csv has no column 'x'" sort --by x w.csv
run 0 convert w.csv w.tsv
run 0 show w.tsv
says stdout '2024-02-01  São Paulo, BR  31.25  nan  false'
run 0 convert w.csv w.safetensors
run 0 ls -m w.safetensors
says stdout 'table.city = text'
says stdout 'city.strings  u8'
run 0 convert --select 'd*' --select ok w.csv part.csv
is part.csv <<'END'
date,ok
2024-01-31,true
2024-02-01,false
2024-02-03,true
2024-02-03,true
END
run 0 convert 'w.csv:city,n[1:3]' part.csv
is part.csv <<'END'
city,n
"São Paulo, BR",
,3
END
run 0 convert w.csv:temp temp.npy
run 0 show temp.npy
says stdout '[-3.5  31.25   nan  2.  ]'
run 0 convert --to csv w.csv -
says stdout '2024-01-31,Oslo,-3.5,1,true'
wrong "--dtype: w.csv has columns of text, dates or times" convert --dtype f32 w.csv x.npz
wrong "--select: 'nosuch' is none of the 5" convert --select nosuch w.csv x.csv

# ---- how it is read ----
printf '1;2,5\n3;4,5\n' >comma.csv
run 0 show comma.csv
says stdout '4.5'
printf '# note\n1 2\n3 4\n' >blanks.txt
run 0 show --csv comment=# blanks.txt
says stdout '3         4'
printf 'a|b\n1|NIX\n' >bars.csv
run 0 show --csv 'separator=|' --csv missing=NIX bars.csv
says stdout '1  nan'
printf 'x\ny\n31.1.2024\n' >skipped.csv
run 0 show --csv skip=1 --csv dates=dmy skipped.csv
says stdout '2024-01-31'
printf 'a;b\n1.234,5;2\n' >thousands.csv
run 0 show --csv thousands=. --csv decimal=, thousands.csv
says stdout '1234.5'
printf '1,2\n3,4\n' >bare.csv
run 0 show --csv header=first bare.csv
says stdout '   1  2'
run 0 show --csv rows=1 --csv auto bare.csv
printf '1,2\n3\n' >ragged.csv
wrong "ragged.csv" show ragged.csv
run 0 show --csv short ragged.csv
says stdout 'nan'
wrong "--csv: 'nix=1' is none of separator=C" show --csv nix=1 w.csv
wrong "--csv: 'separator=' is none of" show --csv separator= w.csv
printf 'hello world\n' >hello.txt
wrong "hello.txt: not a file type that Tessera knows; this looks like text" show hello.txt
if gzip -k w.csv 2>/dev/null && "$TESSERA" info | hears zlib; then run 0 head -n 1 w.csv.gz; fi
"$TESSERA" show - <w.csv >stdout 2>stderr && pass || { fail "a table from a pipe"; cat stderr; }
says stdout 'standard input: 4 rows, 5 columns'
finish
