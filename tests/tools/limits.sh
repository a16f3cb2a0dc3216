#!/usr/bin/env bash
# What files of strangers may take: --limit, lists that read headers alone, conversions that hold one member of an archive.
. "$(dirname "$0")/lib.sh"

# ---- the option ----
for wrong in total total= total=x total=0 total=1.5G total=4Q total=-1 size=3 total=99999999999T ''; do
  run 2 ls --limit "$wrong" ramp.npy
  says stderr "--limit: '$wrong' is no limit; it is WHAT=N, as total=4G, or none"
done
run 2 ls --limit total=4G,size=3 ramp.npy
says stderr "'size=3' is no limit"
run 0 ls --limit none ramp.npy
run 0 ls --limit header=64k,tensors=1M --limit pixels=2G,inflated=1T,total=none ramp.npy
run 2 ls --limit header=10 ramp.npy
says stderr "ramp.npy: its header takes 118 bytes, the limit is 10; raise it with --limit header=N"
run 2 validate --limit tensors=5 model.safetensors
says stderr "it has at least 6 tensors, the limit is 5; raise it with --limit tensors=N"
silent stdout
run 0 validate --limit tensors=6 model.safetensors

# ---- a tensor without a name ----
printf '{"":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"x":{"dtype":"U8","shape":[1],"data_offsets":[2,3]}}' >text
{ printf '\x68\0\0\0\0\0\0\0'; cat text; printf '\1\2\3'; } >noname.safetensors
if [ "$(wc -c <text)" = 104 ]; then pass; else fail "the header has $(wc -c <text) bytes"; fi
run 0 show noname.safetensors:
is stdout <<'END'
: u8 [2]
[1 2]
END
run 0 show 'noname.safetensors:[1]'
says stdout "[1]: u8 []"
run 0 ls noname.safetensors
says stdout "2 tensors, 3 elements, 3 B"
run 0 show model.safetensors:  # there is none: all of them
says stdout "encoder.b: f32 [6]"
for end in npz safetensors; do
  run 0 convert noname.safetensors "again.$end"
  run 0 diff noname.safetensors "again.$end"
done

# ---- what a small file becomes ----
if ! command -v python3 >/dev/null || ! "$TESSERA" info | hears 'zlib 1, png 1'; then
  skip "python3 is not installed, which makes the files, or this build does not read them"
  finish
  exit
fi
python3 - <<'END'
import struct, zipfile, zlib
def npy(n):
    text = "{'descr': '<f4', 'fortran_order': False, 'shape': (%d,), }" % n
    text += " " * (117 - len(text)) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(text)) + text.encode() + bytes(4 * n)
def archive(name, members, n):
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as z:
        for i in range(members): z.writestr("t%d.npy" % i, npy(n))
archive("few.npz", 4, 2000000)
archive("many.npz", 24, 2000000)
archive("small.npz", 3, 1000)
def chunk(kind, data): return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
rows = zlib.compressobj(1)
body = b"".join(rows.compress(bytes(24001) * 100) for i in range(240)) + rows.flush()
with open("large.png", "wb") as f:
    f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 24000, 24000, 8, 0, 0, 0, 0)) + chunk(b"IDAT", body) + chunk(b"IEND", b""))
with open("large.pgm", "wb") as f:
    f.write(b"P5 20000 20000 255\n")
    f.truncate(400000019)
END
run 0 ls large.png large.pgm
says stdout "large  u8     [24000,24000]  576.0 MB  plain"
says stdout "large  u8     [20000,20000]  400.0 MB  plain"
run 2 stats large.png
says stderr "large.png: it has 576000000 pixels, the limit is 268435456; raise it with --limit pixels=N"
run 2 stats --limit pixels=1G large.png
says stderr "large.png: it inflates to 576000000 bytes, the limit is 268435456; raise it with --limit inflated=N"
run 2 stats large.pgm
says stderr "it has 400000000 pixels, the limit is 268435456"
run 0 ls small.npz --limit inflated=1
run 2 stats small.npz --limit inflated=4127
says stderr "t0: it inflates to 4128 bytes, the limit is 4127; raise it with --limit inflated=N"
run 2 convert small.npz out.npz --limit inflated=12383
says stderr "t2: it inflates to 12384 bytes, the limit is 12383; raise it with --limit inflated=N"
if [ -e out.npz ]; then fail "out.npz is there"; else pass; fi
run 0 convert small.npz out.npz --limit inflated=12384
run 0 diff small.npz out.npz

# ---- memory ----
if grep -qE '__[atm]san_init' "$TESSERA"; then
  skip "a sanitizer keeps freed memory"
  finish
  exit
fi
peak() {  # peak ARGUMENT...: kilobytes that tessera had at the most
  python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$TESSERA" "$@"
}
for end in safetensors npz; do
  few=$(peak convert few.npz "out.$end") many=$(peak convert many.npz "out.$end")
  if [ $((many - few)) -lt 4000 ]; then pass; else fail "to $end: 4 members of 8 MB take $few KB, 24 take $many"; fi
done
finish
