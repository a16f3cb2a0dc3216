# TSR_HARDEN: what compilers and linkers have against mistakes that were missed. A buffer on the stack that overflows ends the
# program, C library calls know how large their targets are, tables of addresses are read-only before main, programs lie at
# random addresses. For objects and programs of this project alone: nothing of it reaches a parent project, tessera.pc or
# find_package.
set(harden ON)
if(TSR_PROFILE STREQUAL "mcu")
  set(harden OFF)  # no memory protection to lean on, and every byte of flash counts
endif()
if(WIN32)
  set(harden OFF)  # mingw's stack protector is one more DLL to ship
endif()
option(TSR_HARDEN "stack protector, _FORTIFY_SOURCE, read-only relocations, position-independent programs" ${harden})
set(TSR_HARDEN_LIBRARY_FLAGS "")  # checks, plans, allocators: the way of a small call
set(TSR_HARDEN_PARSER_FLAGS "")   # in addition: what reads files
set(TSR_HARDEN_PROGRAM_FLAGS "")  # the command, examples, tests
if(NOT TSR_HARDEN OR TSR_SANITIZE OR TSR_BUILD_FUZZ)  # sanitizers look closer, and do not see through _FORTIFY_SOURCE
  return()
endif()

# Kernels get nothing: they are loops over memory that was checked before, without buffers and without calls. The strong stack
# protector guards every function with an array or a tensor of its own, up to a tenth of the instructions of a small call; so
# the library has it where bytes of strangers are parsed, and elsewhere the plain one, for buffers of characters.
# -fcf-protection is not here: one more instruction a call, for a mark that every library of a process must bear to count.
foreach(flag -fstack-protector -fstack-protector-strong -fstack-clash-protection)
  string(MAKE_C_IDENTIFIER "TSR_HAS${flag}" variable)
  check_c_compiler_flag(${flag} ${variable})
endforeach()
if(TSR_HAS_fstack_protector)
  list(APPEND TSR_HARDEN_LIBRARY_FLAGS -fstack-protector)
endif()
if(TSR_HAS_fstack_protector_strong)
  list(APPEND TSR_HARDEN_PARSER_FLAGS -fstack-protector-strong)
  list(APPEND TSR_HARDEN_PROGRAM_FLAGS -fstack-protector-strong)
endif()
if(TSR_HAS_fstack_clash_protection)
  list(APPEND TSR_HARDEN_LIBRARY_FLAGS -fstack-clash-protection)
  list(APPEND TSR_HARDEN_PROGRAM_FLAGS -fstack-clash-protection)
endif()

# The C library checks where the compiler knows sizes, which it does only when it optimises.
include(CheckCSourceCompiles)
check_c_source_compiles("
  #if !defined(__has_builtin)
  #error cannot be asked
  #elif !__has_builtin(__builtin_dynamic_object_size)
  #error not this one
  #endif
  int main(void) { return 0; }" TSR_HAS_DYNAMIC_OBJECT_SIZE)
set(fortify 2)
if(TSR_HAS_DYNAMIC_OBJECT_SIZE)
  set(fortify 3)
endif()
foreach(kind LIBRARY PROGRAM)
  list(APPEND TSR_HARDEN_${kind}_FLAGS $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-U_FORTIFY_SOURCE>
       $<$<CONFIG:Release,RelWithDebInfo,MinSizeRel>:-D_FORTIFY_SOURCE=${fortify}>)
endforeach()

foreach(word relro now noexecstack)
  check_linker_flag(C -Wl,-z,${word} TSR_HAS_Z_${word})
  if(TSR_HAS_Z_${word})
    add_link_options(-Wl,-z,${word})
  endif()
endforeach()
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
