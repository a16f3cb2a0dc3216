#!/usr/bin/python3
"""Writes tests/attacks/dlpack/: descriptions of tensors that break a rule of DLPack, one rule each, and table.inc, which
says what each one gets: a status and a part of the message. DLPack is a struct in memory, not a file: a description is
lines of a field and its numbers, which the test puts into a struct that is otherwise right: f32 [2,3], row-major, on the
CPU, in 256 bytes of its own."""
from attacks import Attacks

ATTACKS = Attacks("dlpack", "txt", columns="the description, the status, a part of the message")


def write(name, text, status, message):
    ATTACKS.write(name, text.encode("ascii") + b"\n", status, message)


def main():
    for major in (0, 2, 2**32 - 1):
        write(f"version_{major}", f"version {major} 0\nndim 1000\nshape null", "EUNSUPPORTED", "is not 1")
    for name, device, number in [("cuda", 2, -1), ("cuda_host", 3, 0), ("zero", 0, 0), ("negative", -7, 0),
                                 ("largest", 2**31 - 1, 0)]:
        write("device_" + name, f"device {device} {number}", "EDEVICE",
              f"device type {device}, number {number}, is neither the CPU (1) nor a GPU of CUDA (2)")
    for name, code, bits, lanes in [("opaque", 3, 32, 1), ("code_18", 18, 32, 1), ("code_255", 255, 32, 1),
                                    ("float_8", 2, 8, 1), ("float_24", 2, 24, 1), ("float_128", 2, 128, 1),
                                    ("int_0", 0, 0, 1), ("int_4", 0, 4, 1), ("uint_7", 1, 7, 1), ("bool_1", 6, 1, 1),
                                    ("complex_32", 5, 32, 1), ("bfloat_32", 4, 32, 1), ("e3m4", 7, 8, 1),
                                    ("e4m3", 8, 8, 1), ("e4m3b11fnuz", 9, 8, 1), ("e4m3fnuz", 11, 8, 1),
                                    ("e5m2fnuz", 13, 8, 1), ("e8m0fnu", 14, 8, 1), ("e2m3", 15, 6, 1),
                                    ("e3m2", 16, 6, 1), ("e2m1", 17, 4, 1), ("lanes_0", 2, 32, 0),
                                    ("lanes_2", 2, 32, 2), ("lanes_65535", 2, 32, 65535)]:
        write("dtype_" + name, f"dtype {code} {bits} {lanes}", "EDTYPE",
              f"type code {code} of {bits} bits and {lanes} lanes is no dtype")
    write("rank_negative", "ndim -1", "ESHAPE", "is not 0 to 8")
    write("rank_least", "ndim -2147483648", "ESHAPE", "is not 0 to 8")
    write("rank_9", "ndim 9", "ESHAPE", "is not 0 to 8")
    write("rank_largest", "ndim 2147483647", "ESHAPE", "is not 0 to 8")
    write("shape_null", "shape null", "EARG", "rank 2 without a shape")
    write("shape_negative", "shape -1 3", "ESHAPE", "-1")
    write("shape_least", "shape -9223372036854775808 3", "ESHAPE", "")
    write("shape_product", "shape 1099511627776 1099511627776\nstrides null", "EOVERFLOW", "")
    write("shape_wraps_to_0", "shape 4294967296 4294967296\nstrides null", "EOVERFLOW", "")
    write("shape_bytes", "shape 4611686018427387904 1\nstrides null", "EOVERFLOW", "")
    write("shape_zero_hides_overflow", "ndim 3\nshape 0 4294967296 4294967296\nstrides null", "EOVERFLOW", "")
    write("stride_largest", "strides 9223372036854775807 1", "EOVERFLOW", "leave the address space")
    write("stride_least", "strides -9223372036854775808 1", "EOVERFLOW", "leave the address space")
    write("stride_bytes", "strides 2305843009213693952 1", "EOVERFLOW", "leave the address space")
    write("stride_sum", "strides 1152921504606846976 1152921504606846976", "EOVERFLOW", "leave the address space")
    write("stride_below_zero", "strides -1152921504606846976 1", "EOVERFLOW", "leave the address space")
    write("stride_to_address_0", "data 64\nstrides -16 1", "EOVERFLOW", "leave the address space")
    write("data_null", "data null", "EARG", "f32 [2,3] without data")
    write("data_null_offset", "data null\nbyte_offset 64", "EARG", "f32 [2,3] without data")
    write("offset_2_64", "byte_offset 18446744073709551615", "EOVERFLOW", "leave the address space")
    write("offset_2_63", "byte_offset 9223372036854775808", "EOVERFLOW", "leave the address space")
    write("offset_not_aligned", "byte_offset 2", "EALIGN", "the data of f32 [2,3] is not aligned to its item size")
    write("data_not_aligned", "data 4097", "EALIGN", "the data of f32 [2,3] is not aligned to its item size")
    ATTACKS.finish()


main()
