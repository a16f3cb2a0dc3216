#!/usr/bin/python3
"""Writes tests/attacks/npz/: one small archive for each rule that a reader must not let anyone break, and table.inc, which
says what each one gets: a status and a part of the message."""
import struct
import zlib

from attacks import Attacks

ATTACKS = Attacks("npz")
NPY = b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '|u1', 'fortran_order': False, 'shape': (8,), }".ljust(117) + b"\n"
ARRAY = NPY + bytes(range(8))
write = ATTACKS.write


def deflated(data):
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


class Member:
    """A member; what is set last is what the archive says, true or not."""

    def __init__(self, name=b"a.npy", data=ARRAY, method=0, **more):
        self.name, self.method, self.flags = name, method, 0
        self.packed = deflated(data) if method == 8 else data
        self.crc, self.size, self.packed_size = zlib.crc32(data), len(data), len(self.packed)
        self.extra, self.local_extra, self.comment, self.disk, self.offset = b"", b"", b"", 0, None
        self.entry_signature, self.local_signature = b"PK\1\2", b"PK\3\4"
        self.local = {}
        for key, value in more.items():
            setattr(self, key, value)

    def local_header(self):
        get = lambda key: self.local.get(key, getattr(self, key))
        name = get("name")
        return self.local_signature + struct.pack("<HHHHHIIIHH", 20, get("flags"), get("method"), 0, 33, get("crc"),
                                                  get("packed_size"), get("size"), len(name),
                                                  self.local.get("extra_size", len(self.local_extra))) + \
            name + self.local_extra

    def entry(self, offset):
        at = offset if self.offset is None else self.offset
        return self.entry_signature + struct.pack("<HHHHHHIIIHHHHHII", 20, 20, self.flags, self.method, 0, 33, self.crc,
                                                  self.packed_size, self.size,
                                                  self.__dict__.get("name_size", len(self.name)), len(self.extra),
                                                  len(self.comment), self.disk, 0, 0, at) + \
            self.name + self.extra + self.comment


def archive(members, end=None, between=b"", after=b"", before_end=b""):
    """All of it, and where the directory begins. end changes numbers of the end record."""
    body, offsets = b"", []
    for m in members:
        offsets.append(len(body))
        body += m.local_header() + m.packed
    body += between
    start = len(body)
    directory = b"".join(m.entry(o) for m, o in zip(members, offsets)) + before_end
    numbers = dict(disk=0, first=0, here=len(members), count=len(members), bytes=len(directory), offset=start, comment=0)
    numbers.update(end or {})
    record = b"PK\5\6" + struct.pack("<HHHHIIH", *numbers.values())
    return body + directory + record + after, start


def attack(name, members, status, message, byte=None, **more):
    """byte: "entry" is the first entry of the directory, "end" its end record."""
    content, start = archive(members, **more)
    if byte == "entry":
        byte = start
    elif byte == "end":
        byte = content.rindex(b"PK\5\6")
    write(name, content, status, message if byte is None else f"byte {byte}: {message}")


def ends():
    good, start = archive([Member()])
    write("empty", b"", "EFORMAT", "byte 0: the file is too short for a zip archive")
    write("short", b"PK\5\6" + b"\0" * 17, "EFORMAT", "byte 21: the file is too short for a zip archive")
    write("no_end", good[:-22], "EFORMAT", "no end of a zip archive: cut short, or not one")
    write("cut_1", good[:-1], "EFORMAT", "no end of a zip archive")
    write("not_zip", b"x" * 100, "EFORMAT", "byte 100: no end of a zip archive")
    write("trailing", good + b"x", "EFORMAT", "no end of a zip archive")
    write("prepended", b"x" * 10 + good, "EFORMAT", "the directory does not end where this record begins")
    attack("comment_short", [Member()], "EFORMAT", "no end of a zip archive", end={"comment": 5}, after=b"1234")
    attack("several_disks", [Member()], "EUNSUPPORTED", "an archive of several disks", "end", end={"disk": 1})
    attack("other_disk", [Member()], "EUNSUPPORTED", "an archive of several disks", "end", end={"first": 1})
    attack("here_fewer", [Member()], "EUNSUPPORTED", "an archive of several disks", "end", end={"here": 0})
    attack("directory_outside", [Member()], "EFORMAT", "the directory does not end where this record begins", "end",
           end={"offset": 0x7fffffff})
    attack("directory_short", [Member()], "EFORMAT", "the directory does not end where this record begins", "end",
           end={"bytes": 20})
    attack("directory_gap", [Member()], "EFORMAT", "the directory does not end where this record begins", "end",
           end={"offset": start - 1})
    attack("count_more", [Member()], "EFORMAT", "more members than a directory of 51 bytes has room for", "end",
           end={"here": 2, "count": 2})
    attack("count_most", [Member()], "EFORMAT", "more members than a directory of 51 bytes", end={"here": 65535, "count": 65535})
    attack("count_less", [Member(), Member(b"b.npy")], "EFORMAT", "51 bytes after the last entry of the directory",
           end={"here": 1, "count": 1})
    attack("count_zero", [Member()], "EFORMAT", "51 bytes after the last entry", "entry", end={"here": 0, "count": 0})
    attack("rest_of_directory", [Member()], "EFORMAT", "3 bytes after the last entry", before_end=b"xyz")


def wide_archive(members=None, record=None, locator=None, end=None, signature=b"PK\6\6", length=44):
    members = [Member()] if members is None else members
    body, offsets = b"", []
    for m in members:
        offsets.append(len(body))
        body += m.local_header() + m.packed
    start = len(body)
    body += b"".join(m.entry(o) for m, o in zip(members, offsets))
    numbers = dict(disk=0, first=0, here=len(members), count=len(members), bytes=len(body) - start, offset=start)
    numbers.update(record or {})
    place = dict(disk=0, offset=len(body), disks=1)
    place.update(locator or {})
    last = dict(disk=0, first=0, here=65535, count=65535, bytes=0xffffffff, offset=0xffffffff, comment=0)
    last.update(end or {})
    body += signature + struct.pack("<QHHIIQQQQ", length, 45, 45, *numbers.values())
    body += b"PK\6\7" + struct.pack("<IQI", *place.values())
    return body + b"PK\5\6" + struct.pack("<HHHHIIH", *last.values())


def wide_ends():
    def wide(name, status, message, **more):
        write("zip64_" + name, wide_archive(**more), status, message)

    wide("several_disks", "EUNSUPPORTED", "an archive of several disks", locator={"disks": 2})
    wide("on_disk_1", "EUNSUPPORTED", "an archive of several disks", locator={"disk": 1})
    wide("record_disk", "EUNSUPPORTED", "an archive of several disks", record={"disk": 3})
    wide("record_outside", "EFORMAT", "the zip64 end record lies outside the file", locator={"offset": 2**63})
    wide("record_late", "EFORMAT", "the zip64 end record lies outside the file", locator={"offset": 250})
    wide("record_elsewhere", "EFORMAT", "no zip64 end record where one is announced", locator={"offset": 0})
    wide("record_signature", "EFORMAT", "no zip64 end record where one is announced", signature=b"PK\6\5")
    wide("record_length", "EFORMAT", "no zip64 end record where one is announced", length=45)
    wide("record_length_2_64", "EFORMAT", "no zip64 end record where one is announced", length=2**64 - 1)
    wide("count_disagrees", "EFORMAT", "the end record and its zip64 form disagree", end={"count": 7})
    wide("offset_disagrees", "EFORMAT", "the end record and its zip64 form disagree", end={"offset": 7})
    wide("count_2_63", "EFORMAT", "more members than a directory of 51 bytes", record={"here": 2**63, "count": 2**63})
    wide("count_2_64", "EFORMAT", "more members than a directory", record={"here": 2**64 - 1, "count": 2**64 - 1})
    wide("directory_2_64", "EFORMAT", "the directory does not end where this record begins",
         record={"bytes": 2**64 - 1, "offset": 1})
    wide("offset_2_64", "EFORMAT", "the directory does not end where", record={"offset": 2**64 - 1})

    def extra(*numbers):
        return struct.pack("<HH", 1, 8 * len(numbers)) + b"".join(struct.pack("<Q", n) for n in numbers)

    missing = "the zip64 numbers of an entry are missing"
    attack("wide_missing", [Member(size=0xffffffff)], "EFORMAT", missing, "entry")
    attack("wide_too_few", [Member(size=0xffffffff, packed_size=0xffffffff, extra=extra(136))], "EFORMAT", missing, "entry")
    attack("wide_short", [Member(size=0xffffffff, extra=struct.pack("<HHI", 1, 4, 136))], "EFORMAT", missing, "entry")
    attack("wide_past_extra", [Member(size=0xffffffff, extra=struct.pack("<HHI", 1, 80, 136))], "EFORMAT", missing, "entry")
    attack("wide_other_id", [Member(size=0xffffffff, extra=struct.pack("<HHQ", 2, 8, 136))], "EFORMAT", missing, "entry")
    attack("wide_offset_outside", [Member(offset=0xffffffff, extra=extra(2**64 - 30))], "EFORMAT",
           "member 'a' lies outside the file", "entry")
    attack("wide_size_2_64", [Member(size=0xffffffff, packed_size=0xffffffff, extra=extra(2**64 - 1, 2**64 - 1))],
           "EFORMAT", "member 'a' lies outside the file", "entry")


def entries():
    attack("entry_signature", [Member(entry_signature=b"PK\1\3")], "EFORMAT", "no entry of the directory", "entry")
    attack("entry_name_long", [Member(name_size=6)], "EFORMAT", "an entry that ends past the directory", "entry")
    attack("entry_name_longest", [Member(name_size=65535)], "EFORMAT", "an entry that ends past the directory", "entry")
    attack("encrypted", [Member(flags=1)], "EUNSUPPORTED", "member 'a' is encrypted", "entry")
    attack("encrypted_strongly", [Member(flags=1 << 6)], "EUNSUPPORTED", "member 'a' is encrypted", "entry")
    attack("encrypted_directory", [Member(flags=1 << 13)], "EUNSUPPORTED", "member 'a' is encrypted", "entry")
    attack("encrypted_local", [Member(local={"flags": 1})], "EFORMAT",
           "byte 0: the local header of 'a' disagrees with the directory")
    attack("patch", [Member(flags=1 << 5)], "EUNSUPPORTED", "member 'a' is a patch", "entry")
    for method in [1, 6, 9, 12, 14, 93, 99, 65535]:
        attack(f"method_{method}", [Member(method=method)], "EUNSUPPORTED", f"member 'a' is packed by method {method}",
               "entry")
    attack("disk_1", [Member(disk=1)], "EUNSUPPORTED", "an archive of several disks", "entry")
    attack("twice", [Member(), Member(b"b.npy"), Member()], "EFORMAT", "member 'a' appears twice")
    attack("name_empty", [Member(b"")], "EUNSUPPORTED", "member '' is not a .npy array", "entry")
    attack("name_zero", [Member(b"a\0b.npy")], "EUNSUPPORTED", "a member's name is not UTF-8")
    attack("name_latin1", [Member(b"\xe9.npy")], "EUNSUPPORTED", "a member's name is not UTF-8")
    attack("name_overlong", [Member(b"\xc0\xaf.npy")], "EUNSUPPORTED", "a member's name is not UTF-8")
    attack("name_control", [Member(b"a\x1b[31m.txt")], "EUNSUPPORTED", "member 'a?[31m.txt' is not a .npy array", "entry")
    attack("not_npy_text", [Member(b"readme.txt", b"hello")], "EUNSUPPORTED", "member 'readme.txt' is not a .npy array",
           "entry")
    attack("folder", [Member(b"a/", b"")], "EUNSUPPORTED", "member 'a/' is not a .npy array", "entry")
    attack("upper_case", [Member(b"a.NPY")], "EUNSUPPORTED", "member 'a.NPY' is not a .npy array", "entry")


def places():
    attack("offset_outside", [Member(offset=10000)], "EFORMAT", "member 'a' lies outside the file", "entry")
    attack("offset_in_directory", [Member(offset=180)], "EFORMAT", "member 'a' lies outside the file", "entry")
    attack("packed_outside", [Member(packed_size=1000, size=1000)], "EFORMAT", "member 'a' lies outside the file", "entry")
    attack("local_signature", [Member(local_signature=b"PK\3\5")], "EFORMAT", "byte 0: no local header for member 'a'")
    attack("offset_other", [Member(), Member(b"b.npy", offset=4)], "EFORMAT", "byte 4: no local header for member 'b'")
    attack("local_extra_outside", [Member(local={"extra_size": 65535})], "EFORMAT", "byte 0: member 'a' lies outside the file")
    disagrees = "byte 0: the local header of 'a' disagrees with the directory"
    attack("local_name", [Member(local={"name": b"b.npy"})], "EFORMAT", disagrees)
    attack("local_name_length", [Member(local={"name": b"ab.npy"})], "EFORMAT", disagrees, between=b" ")
    attack("local_method", [Member(local={"method": 8})], "EFORMAT", disagrees)
    attack("local_crc", [Member(local={"crc": 1})], "EFORMAT", disagrees)
    attack("local_size", [Member(local={"size": 1})], "EFORMAT", disagrees)
    attack("local_packed", [Member(local={"packed_size": 1})], "EFORMAT", disagrees)
    inner = Member(b"b.npy")
    attack("overlap_same", [Member(), Member(b"b.npy", offset=0)], "EFORMAT", "the local header of 'b' disagrees")
    outer = Member(b"a.npy", NPY.replace(b"(8,)", b"(999,)")[:128] + inner.local_header() + inner.packed + b"\0" * 900)
    content, _ = archive([outer, Member(b"b.npy", offset=30 + 5 + 128)])
    write("overlap_inside", content, "EFORMAT", f"byte {30 + 5 + 128}: member 'b' overlaps another")
    first = Member(size=137, packed_size=137)  # one byte of the next
    attack("overlap_by_one", [first, Member(b"b.npy")], "EFORMAT", "byte 171: member 'b' overlaps another")


def contents():
    attack("stored_size", [Member(size=137)], "EFORMAT", "member 'a' is stored, but has 137 bytes in 136", "entry")
    attack("stored_crc", [Member(crc=1)], "EFORMAT", "byte 35: member 'a': its CRC is not the declared one")
    attack("deflated_crc", [Member(method=8, crc=1)], "EFORMAT", "byte 35: member 'a': its CRC is not the declared one")
    attack("deflated_size_less", [Member(method=8, size=130)], "EFORMAT",
           "member 'a': data cut short: u8 [8] takes 8 bytes, 2 are there")
    attack("deflated_more_than_declared", [Member(data=ARRAY + b"xyz", method=8, size=136)], "EFORMAT",
           "byte 35: member 'a': it inflates to more bytes than declared")
    attack("deflated_size_more", [Member(method=8, size=137)], "EFORMAT",
           "byte 35: member 'a': it inflates to fewer bytes than declared")
    attack("deflated_size_impossible", [Member(method=8, size=0x7fffffff)], "EFORMAT",
           "member 'a' cannot have the bytes that it declares in", "entry")
    bomb = NPY.replace(b"(8,),", f"({1 << 20},),".encode())
    bomb = bomb[:127].replace(b" " * 6, b"", 1).ljust(127) + b"\n"
    attack("bomb_declared_small", [Member(data=bomb + b"\0" * (1 << 20), method=8, size=136)], "EFORMAT",
           "member 'a': data cut short: u8 [1048576] takes 1048576 bytes, 8 are there")
    half = Member(method=8)
    half.packed = half.packed[:30]
    half.packed_size = 30
    attack("deflated_cut", [half], "EFORMAT", "byte 35: member 'a': its deflated data is cut short")
    broken = Member(method=8)
    broken.packed = b"\xff" * broken.packed_size
    attack("deflated_broken", [broken], "EFORMAT", "byte 35: member 'a': its deflated data is broken")
    more = Member(method=8)
    more.packed += b"more"
    more.packed_size += 4
    attack("deflated_trailing", [more], "EFORMAT", "byte 35: member 'a': bytes follow its deflated data")
    none = Member(method=8)
    none.packed, none.packed_size = b"", 0
    none.size = 0
    attack("deflated_nothing", [none], "EFORMAT", "member 'a': byte 0: the file ends inside its preamble")
    attack("not_npy", [Member(data=b"hello, this is not an array")], "EFORMAT",
           "member 'a': byte 0: not a .npy file: the magic string is missing")
    attack("npy_empty", [Member(data=b"")], "EFORMAT", "member 'a': byte 0: the file ends inside its preamble")
    attack("npy_cut", [Member(data=ARRAY[:-1])], "EFORMAT", "member 'a': data cut short: u8 [8] takes 8 bytes, 7 are there")
    attack("npy_object", [Member(data=ARRAY.replace(b"'|u1'", b"'|O' "))], "EUNSUPPORTED", "member 'a': header: byte")
    attack("npy_terabyte", [Member(data=ARRAY.replace(b"(8,), }   " + b" " * 10, b"(1099511627776,), } "))], "EFORMAT",
           "member 'a': data cut short: u8 [1099511627776] takes 1099511627776 bytes, 8 are there")
    attack("second_broken", [Member(), Member(b"b.npy", ARRAY[:-3])], "EFORMAT", "member 'b': data cut short")


def main():
    for family in [ends, wide_ends, entries, places, contents]:
        family()
    ATTACKS.finish()


main()
