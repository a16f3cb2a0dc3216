#!/usr/bin/env bash
# Dependencies run one way, as tests/build/rooms.def has them, between the folders of src and between the rooms of src/io; each arrow of it is
# one that is used. Tools use the public headers alone. A folder includes "folder/file.h" of itself and of those it may use, public
# headers as <tessera/...>.
. "$(dirname "$0")/lib.sh"
# may, io_may: by its folder what a file includes, itself too.
declare -A may=() io_may=() arrow=()
while read -r where room uses; do
  case $where in
    src) may[$room]="$room $uses" ;;
    io) io_may[$room]="$room $uses" ;;
    '' | '#'*) continue ;;
    *) fail "rooms.def: '$where' is neither src nor io" ;;
  esac
  for used in $uses; do arrow["$where $room -> $used"]=0; done
done <"$SOURCE/tests/build/rooms.def"
# Nor by way of a public header: those that are one format's, and its room. An archive is opened with the options of .npz.
declare -A io_public=([npz]='npz zip' [safetensors]=safetensors [gguf]=gguf [csv]=csv [table]='table csv' [calendar]='table csv' [png]=image [jpeg]=image [image]=image [wav]=wav [arrow]=arrow [pnm]=image [raw]=raw
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
      tsr_*.[ch]) continue ;;  # written by the build
      tessera/*) fail "$file:$line: public headers are included as <$header>"; bad=1; continue ;;
      */*) ;;
      *) fail "$file:$line: \"$header\": write \"folder/$header\""; bad=1; continue ;;
    esac
    arrow["src $folder -> ${header%%/*}"]=1
    [[ " ${may[$folder]} " == *" ${header%%/*} "* ]] || { fail "$file:$line: src/$folder may not use \"$header\""; bad=1; }
    used=$(quant_room "src/$header")
    if [ -n "$used" ] && [ "$folder" = nn ] && [[ " ${quant_may[${quant:-none}]:-} " != *" $used "* ]]; then
      fail "$file:$line: ${file%/*} may not use \"$header\""; bad=1
    fi
    [[ $folder/$header == io/io/* ]] || continue
    room=$(room_of "$file") used=$(room_of "src/$header")
    arrow["io $room -> $used"]=1
    [[ " ${io_may[$room]:-} " == *" $used "* ]] || { fail "$file:$line: src/io/$room may not use \"$header\""; bad=1; }
  done < <(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' "$file" || true)
  while IFS=: read -r line header; do
    owners=${io_public[$header]:-}
    if [ -z "$owners" ] || [[ " $owners formats " == *" $(room_of "$file") "* ]]; then continue; fi
    fail "$file:$line: <tessera/$header.h> is of another format" && bad=1
  done < <(if [ "$folder" = io ]; then sed -nE '/^#[ ]*include <tessera\/[a-z]+\.h>/{=;s/.*tessera\/([a-z]+)\.h.*/\1/p}' "$file" | paste -d: - -; fi)
  if [ $bad -eq 0 ]; then pass; fi
done < <(find src -name '*.[ch]' | sort)
for one in "${!arrow[@]}"; do
  if [ "${arrow[$one]}" = 1 ]; then pass; else fail "rooms.def: $one: no file needs it"; fi
done

for file in $(find tools python examples bench fuzz -name '*.[ch]' 2>/dev/null | sort); do
  foreign=$(grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"(src|core|memory|cpu|ops|nn|io|device)/' "$file" || true)
  if [ -z "$foreign" ]; then pass; else fail "$file uses more than the public headers: $foreign"; fi
done
finish
