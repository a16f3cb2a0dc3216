# The text that kernels are compiled from at run time, as a C file: cmake -DSOURCE=<src> -DOUTPUT=<file.c> -P kernel_text.cmake
# Files of src/cuda/kernels, and the headers of the host that they share. A compound literal of C, (type){...}, becomes type{...},
# which is the same in the language of kernels, and initialisers lose the names of members, which are in order; nothing else of a
# header changes.
file(GLOB files RELATIVE ${SOURCE} ${SOURCE}/cuda/kernels/*.cuh ${SOURCE}/cpu/math/*.h ${SOURCE}/core/dtype/*.h)
list(APPEND files core/float_to_int.h cpu/vec/polynomial.h ops/binary/numbers.tmpl.h ops/binary/divide.tmpl.h ops/ternary/numbers.tmpl.h
  ops/random/elementary.h ops/random/elementary.tmpl.h ops/random/philox.h ops/sort/float_key.tmpl.h)
list(SORT files)
set(arrays "")
set(rows "")
set(number 0)
foreach(file ${files})
  file(READ ${SOURCE}/${file} text)
  string(REGEX REPLACE "\\((C|pair|(tsr__[a-z0-9_]+)|FN\\(division\\)|dt##_mem|f[0-9a-z_]+_mem)\\){" "\\1{" text "${text}")
  string(REGEX REPLACE "\\.(mantissa|bias|max|overflow|quiet_nan) = " "" text "${text}")
  string(HEX "${text}" hex)
  string(REGEX REPLACE "(................................................................)" "\\1\n" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," hex "${hex}")
  string(APPEND arrays "static const char text${number}[] = {\n${hex}0};\n")
  string(APPEND rows "    {\"${file}\", text${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
if(number GREATER 128)
  message(FATAL_ERROR "kernel_text.cmake: ${number} files; a tsr__cuda_text remembers 128")
endif()
set(written "/* Written by cmake/kernel_text.cmake from files of src. */
#include \"cuda/source.h\"

${arrays}
const tsr__cuda_piece tsr__cuda_pieces[] = {
${rows}    {NULL, NULL}};
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT before STREQUAL written)
  file(WRITE ${OUTPUT} "${written}")
endif()
