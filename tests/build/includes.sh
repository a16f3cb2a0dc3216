#!/usr/bin/env bash
# Dependencies run one way: core <- memory <- cpu <- ops <- nn; io uses ops; devices use core and memory; the table of ops
# (registry) uses all that has ops in it, and nobody uses it; tools use the public headers alone. A folder includes "folder/file.h" of itself and of those it may use, public headers as <tessera/...>.
. "$(dirname "$0")/lib.sh"
declare -A may=(
  [core]='core'
  [memory]='core memory'
  [cpu]='core memory cpu'
  [ops]='core memory cpu ops'
  [nn]='core memory cpu ops nn'
  [io]='core memory cpu ops io'
  [device]='core memory device'
  [program]='core memory ops program'
  [registry]='core memory cpu ops nn registry'
)
cd "$SOURCE"
while IFS= read -r file; do
  folder=${file#src/}
  folder=${folder%%/*}
  if [ -z "${may[$folder]:-}" ]; then fail "$file: src/$folder is no folder of the design"; continue; fi
  bad=0
  while IFS=: read -r line text; do
    header=$(sed 's/.*"\(.*\)".*/\1/' <<<"$text")
    case $header in
      tsr_*.h) continue ;;  # written by the build
      tessera/*) fail "$file:$line: public headers are included as <$header>"; bad=1; continue ;;
      */*) ;;
      *) fail "$file:$line: \"$header\": write \"folder/$header\""; bad=1; continue ;;
    esac
    [[ " ${may[$folder]} " == *" ${header%%/*} "* ]] || { fail "$file:$line: src/$folder may not use \"$header\""; bad=1; }
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" || true)
  if [ $bad -eq 0 ]; then pass; fi
done < <(find src -name '*.[ch]' | sort)

for file in $(find tools examples bench fuzz -name '*.[ch]' 2>/dev/null | sort); do
  foreign=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(src|core|memory|cpu|ops|nn|io|device)/' "$file" || true)
  if [ -z "$foreign" ]; then pass; else fail "$file uses more than the public headers: $foreign"; fi
done
finish
