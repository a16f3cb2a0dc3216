#!/usr/bin/env bash
# What a microcontroller must not need: no object of the library references malloc, stdio, anything that ends the program, or
# arithmetic on doubles in software.
. "$(dirname "$0")/lib.sh"
library=$BUILD/libtessera.a
heap='_*(malloc|free|calloc|realloc|memalign|aligned_alloc)(_r)?|_*sbrk(_r)?'
stdio='_*(v|f|s|sn|vsn|vf|vs|as)?i?printf(_r)?|_*(v|f|s)?scanf(_r)?|f?puts|f?putc|putchar|fopen|fclose|fread|fwrite|fflush|stdout|stderr|_impure_ptr'
endings='abort|_?exit|_Exit|__assert.*|raise|kill'
doubles='__aeabi_(d[a-z0-9]*|[a-z]+2d|cd[a-z]+)|__(add|sub|mul|div|neg|eq|ne|lt|le|gt|ge|unord|cmp)df[23]|__extendsfdf2|__truncdfsf2|__fix(uns)?df[sd]i|__float(un)?[sd]idf|(sqrt|exp|log|pow|sin|cos|tan|tanh|floor|ceil|round|rint|fma|fabs)'
count=0
while read -r object symbol; do
  case $object in
    OBJECT) count=$((count + 1)); current=$symbol; pass ;;
    U) passed=$((passed - 1)); fail "$current references $symbol" ;;
  esac
done < <("$NM" -u "$library" | awk -v banned="^($heap|$stdio|$endings|$doubles)\$" '
  /:$/ { sub(/:$/, ""); print "OBJECT", $0; next }
  $1 == "U" && $2 ~ banned { print "U", $2 }')
if [ $count -gt 100 ]; then pass; else fail "only $count objects in $library"; fi
finish
