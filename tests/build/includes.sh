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
# Rooms of src/io, from below: what a call has (limits, outputs), bytes, files; then the formats, which know nothing of each
# other. .npz alone is made of two others: its members are .npy arrays, in a zip archive. The table of formats has a row of each.
declare -A io_may=(
  [call]='call'
  [bytes]='call bytes'
  [file]='call bytes file'
  [zip]='call bytes file zip'
  [npy]='call bytes file npy'
  [npz]='call bytes file npy zip npz'
)
for format in safetensors gguf csv image raw carray dlpack; do io_may[$format]="call bytes file $format"; done
io_may[formats]='call bytes file npy npz safetensors gguf csv image raw carray formats'
# Nor by way of a public header: those that are one format's, and its room. An archive is opened with the options of .npz.
declare -A io_public=([npz]='npz zip' [safetensors]=safetensors [gguf]=gguf [csv]=csv [png]=image [pnm]=image [raw]=raw
  [carray]=carray [dlpack]=dlpack [formats]=formats)
# Rooms of src/nn/quant: what lies in the folder itself is below them all; layers choose among the kernels, which know nothing
# of each other nor of layers.
declare -A quant_may=(
  [quant]='quant'
  [calibrate]='quant calibrate'
  [element]='quant element'
  [plain]='quant plain'
  [fast]='quant fast'
  [layer]='quant plain fast layer'
)
# quant_room src/nn/quant/[ROOM/]FILE: its room; nothing of what lies elsewhere.
quant_room() { if [[ $1 =~ ^src/nn/quant/(([a-z]+)/)?[^/]+$ ]]; then echo "${BASH_REMATCH[2]:-quant}"; fi; }
# room_of src/io/ROOM/FILE: its room; "none" of what lies in src/io itself.
room_of() { if [[ $1 =~ ^src/io/([a-z]+)/[^/]+$ ]]; then echo "${BASH_REMATCH[1]}"; else echo none; fi; }
cd "$SOURCE"
while IFS= read -r file; do
  folder=${file#src/}
  folder=${folder%%/*}
  if [ -z "${may[$folder]:-}" ]; then fail "$file: src/$folder is no folder of the design"; continue; fi
  bad=0
  if [ "$folder" = io ] && [ -z "${io_may[$(room_of "$file")]:-}" ]; then fail "$file: is in no room of src/io"; bad=1; fi
  quant=$(quant_room "$file")
  if [ -n "$quant" ] && [ -z "${quant_may[$quant]:-}" ]; then fail "$file: is in no room of src/nn/quant"; bad=1; fi
  while IFS=: read -r line text; do
    header=$(sed 's/.*"\(.*\)".*/\1/' <<<"$text")
    case $header in
      tsr_*.h) continue ;;  # written by the build
      tessera/*) fail "$file:$line: public headers are included as <$header>"; bad=1; continue ;;
      */*) ;;
      *) fail "$file:$line: \"$header\": write \"folder/$header\""; bad=1; continue ;;
    esac
    [[ " ${may[$folder]} " == *" ${header%%/*} "* ]] || { fail "$file:$line: src/$folder may not use \"$header\""; bad=1; }
    used=$(quant_room "src/$header")
    if [ -n "$used" ] && [ "$folder" = nn ] && [[ " ${quant_may[${quant:-none}]:-} " != *" $used "* ]]; then
      fail "$file:$line: ${file%/*} may not use \"$header\""; bad=1
    fi
    [[ $folder/$header == io/io/* ]] || continue
    room=$(room_of "$file") used=$(room_of "src/$header")
    [[ " ${io_may[$room]:-} " == *" $used "* ]] || { fail "$file:$line: src/io/$room may not use \"$header\""; bad=1; }
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" || true)
  while IFS=: read -r line header; do
    owners=${io_public[$header]:-}
    if [ -z "$owners" ] || [[ " $owners formats " == *" $(room_of "$file") "* ]]; then continue; fi
    fail "$file:$line: <tessera/$header.h> is of another format" && bad=1
  done < <(if [ "$folder" = io ]; then sed -nE '/^#[ ]*include <tessera\/[a-z]+\.h>/{=;s/.*tessera\/([a-z]+)\.h.*/\1/p}' "$file" | paste -d: - -; fi)
  if [ $bad -eq 0 ]; then pass; fi
done < <(find src -name '*.[ch]' | sort)

for file in $(find tools examples bench fuzz -name '*.[ch]' 2>/dev/null | sort); do
  foreign=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(src|core|memory|cpu|ops|nn|io|device)/' "$file" || true)
  if [ -z "$foreign" ]; then pass; else fail "$file uses more than the public headers: $foreign"; fi
done
finish
