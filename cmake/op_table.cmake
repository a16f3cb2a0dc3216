# Writes what is made of the rows of ops: every src/**/ops.def. Run as a script:
#
#     cmake -D SOURCE=<the repository> -D OUTPUT=<folder> [-D HEADER=<file>] -P cmake/op_table.cmake
#
# OUTPUT/tsr_op_table.c      the table of ops, which src/registry/table.c includes: plain C, by the names of the ops
# OUTPUT/tsr_ops/<family>.h  of each folder with an ops.h: the attributes and operands that the frame of a call knows (core/call.h)
# HEADER                     the ops as functions of C++, <tessera/ops.hpp> (cmake/op_cpp.cmake)
#
# A file that would not change is left alone. docs/adding-an-op.md has the words of an ops.def; each becomes the lines that are
# appended for it in `parameter` below. What is wrong with a row is said with its file and line.
cmake_minimum_required(VERSION 3.20)

# How many arguments each word has.
set(ARGUMENTS_IN 1)
foreach(word MANY OPTIONAL OUT OPTIONAL_OUT OUTS OUTS_AS_MANY REAL_OR_NULL TEXT RNG INTS REALS AXES SOME_AXES ORDER EACH
             AXES_AS_MANY AS_MANY TWO_REALS COMPLEX PART OPTIONAL_PART SCHEME FIELD_ACTIVATION)
  set(ARGUMENTS_${word} 1)
endforeach()
foreach(word IN_OF OPTIONAL_OF OUT_OF OPTIONAL_OUT_OF FLAG INT INT32 INT64 AXIS DTYPE LAYOUT REAL OPTIONS OBJECT QUANT FIELD_FLAG
             FIELD_INT FIELD_DTYPE FIELD_REAL FIELD_IN FIELD_OPTIONAL)
  set(ARGUMENTS_${word} 2)
endforeach()
foreach(word FIELD_WORD FIELD_OPTIONAL_OF)
  set(ARGUMENTS_${word} 3)
endforeach()
foreach(word WORD FIELD_INTS FIELD_REALS)
  set(ARGUMENTS_${word} 4)
endforeach()

# C type and type in the table of the words that are one whole number; of lists also flags, least, most.
set(INTEGER_FLAG bool BOOL)
set(INTEGER_INT tsr_index INT)
set(INTEGER_INT32 int INT)
set(INTEGER_INT64 int64_t INT)
set(INTEGER_AXIS int AXIS)
set(INTEGER_DTYPE int DTYPE)
set(INTEGER_LAYOUT int LAYOUT)
set(LIST_INTS tsr_index INTS 0 0 TSR_OP_ANY_COUNT)
set(LIST_REALS tsr_real REALS 0 0 TSR_OP_ANY_COUNT)
set(LIST_AXES int AXES TSR_OP_OPTIONAL 0 TSR_MAX_DIMS)
set(LIST_SOME_AXES int AXES 0 0 TSR_MAX_DIMS)
set(LIST_ORDER int AXES 0 0 TSR_OP_RANK)
set(LIST_EACH tsr_index INTS TSR_OP_OPTIONAL 0 TSR_OP_RANK)
set(LIST_AXES_AS_MANY int AXES 0 0 TSR_OP_AS_BEFORE)
set(LIST_AS_MANY tsr_index INTS 0 0 TSR_OP_AS_BEFORE)
set(LIST_TWO_REALS tsr_real REALS TSR_OP_OPTIONAL 2 2)
set(COUNTED INTS REALS AXES SOME_AXES)  # their count stands before them in the prototype

set(TAKES NOTHING BOOL INTEGERS FLOATS COMPLEX MASKS BITS NUMBERS VALUES REALS ALL)
set(GIVES SAME FLOAT SUM BOOL INDEX DTYPE OTHER REAL REAL_FLOAT)
set(OBJECTS packed conv_packed qlayer)

# What the rules of the elementwise families (ops/promote.h, ops/unary/unary.h) take and give.
set(RULE_ANY REALS SAME)
set(RULE_ALL ALL SAME)
set(RULE_NUMBERS NUMBERS SAME)
set(RULE_VALUES VALUES SAME)
set(RULE_FLOATS REALS FLOAT)
set(RULE_FLOATING ALL FLOAT)
set(RULE_FORMAT REALS FLOAT)
set(RULE_COMPARE REALS BOOL)
set(RULE_EQUAL ALL BOOL)
set(RULE_TRUTH ALL BOOL)
set(RULE_BITS BITS SAME)
set(RULE_SHIFT INTEGERS SAME)
set(RULE_MOVE ALL SAME)
set(RULE_UNARY_OWN NUMBERS SAME)
set(RULE_UNARY_VALUE VALUES SAME)
set(RULE_UNARY_SIZE VALUES REAL)
set(RULE_UNARY_FLOAT REALS FLOAT)
set(RULE_UNARY_FLOATING ALL FLOAT)
set(RULE_UNARY_ANGLE ALL REAL_FLOAT)
set(RULE_UNARY_BITWISE BITS SAME)
set(RULE_UNARY_FLOAT_TEST ALL BOOL)
set(RULE_UNARY_TEST ALL BOOL)

macro(refuse)
  string(CONCAT text ${ARGN})
  message(FATAL_ERROR " ${place}: ${text}")
endmacro()

# ---- reading ----

# The lines of a file as a list from 1 on (0 is empty), without comments and what would take a list apart.
function(read_lines file out)
  file(READ ${file} text)
  string(REGEX REPLACE "[][;\\]" " " text "${text}")
  string(REPLACE "\n" ";" text "${text}")
  set(lines "")
  set(inside FALSE)
  foreach(line IN LISTS text)
    set(code "")
    while(NOT line STREQUAL "")
      if(inside)
        string(FIND "${line}" "*/" end)
        set(piece "")
      else()
        string(FIND "${line}" "/*" end)
        string(SUBSTRING "${line}" 0 ${end} piece)
      endif()
      string(APPEND code "${piece}")
      if(end EQUAL -1)
        break()
      endif()
      math(EXPR end "${end} + 2")
      string(SUBSTRING "${line}" ${end} -1 line)
      if(inside)
        set(inside FALSE)
      else()
        set(inside TRUE)
      endif()
    endwhile()
    string(STRIP "${code}" code)
    string(APPEND lines ";${code}")
  endforeach()
  set(${out} "${lines}" PARENT_SCOPE)
endfunction()

# A column of a row, which may be a rule: RULE_ANY; OF_add, the rule of that op; WITH_ANY_add, the same unless it is FLOATING.
function(resolve column which out)
  set(value ${column})
  if(value MATCHES "^WITH_([A-Z]+)_(.*)$")
    if(CMAKE_MATCH_1 STREQUAL "FLOATING")
      set(value RULE_FLOATING)
    else()
      set(value OF_${CMAKE_MATCH_2})
    endif()
  endif()
  if(value MATCHES "^OF_(.*)$")
    set(value RULE_${RULE_OF_${CMAKE_MATCH_1}})
  endif()
  if(value MATCHES "^RULE_")
    if(NOT DEFINED ${value})
      refuse("there is no rule for '${column}'")
    endif()
    list(FIND NAMES_OF_COLUMNS ${which} at)
    list(GET ${value} ${at} value)
  endif()
  if(NOT value IN_LIST ${which})
    string(REPLACE ";" ", " all "${${which}}")
    string(TOLOWER ${which} name)
    refuse("${name} '${column}', which is none of ${all}")
  endif()
  set(${out} ${value} PARENT_SCOPE)
endfunction()
set(NAMES_OF_COLUMNS TAKES GIVES)

# ---- parameters: what each appends ----

# A line in the description of the parameters, and its slot in a call.
macro(describe name role type flags)
  string(LENGTH "${name}" length)
  if(length GREATER 17)
    refuse("the name of '${name}' is longer than 17 characters")
  endif()
  string(APPEND slots "  tsr__op_slot ${name};\n")
  string(APPEND params "    {.name = \"${name}\", .role = TSR_OP_${role}, .type = TSR_OP_${type}")
  if(NOT "${flags}" STREQUAL "0")
    string(APPEND params ", .flags = ${flags}")
  endif()
  foreach(more ${ARGN})
    string(APPEND params ", ${more}")
  endforeach()
  string(APPEND params "},\n")
endmacro()

# What the function gets.
macro(pass type name value)
  string(APPEND prototype ", ${type}${name}")
  string(APPEND arguments ",\n                  ${value}")
endmacro()

macro(operand name flags)
  string(APPEND operands "    {TSR__OPERAND_NAME(\"${name}\") ${flags}},\n")
  if("${flags}" MATCHES "OUTPUT")
    math(EXPR outputs "${outputs} + 1")
  else()
    math(EXPR inputs "${inputs} + 1")
  endif()
endmacro()

macro(attribute declaration)
  string(APPEND fields "  ${declaration};\n")
endmacro()

macro(pointer at count item inside)
  string(APPEND pointers "      {${at}, ${count}, ${item}, ${inside}},\n")
endmacro()

# A pointer to one thing among the attributes.
macro(attribute_pointer type name item)
  attribute("const ${type} *${name}")
  pointer("offsetof(tsr__${kind}_attrs, ${name})" TSR__ATTR_ONE "${item}" 0)
endmacro()

# A struct of options, which is zero but for the fields that follow it.
macro(options_struct type name)
  string(APPEND locals "  ${type} ${name};\n  memset(&${name}, 0, sizeof ${name});\n")
  list(APPEND structs ${name})
  pass("const ${type} *" ${name} "&${name}")
  attribute_pointer(${type} ${name} "sizeof(${type})")
endmacro()

# A field of one: the attribute, and the statement that sets it.
macro(option_field struct name type statement)
  string(REGEX REPLACE "\\..*" "" root "${struct}")
  if(NOT root IN_LIST structs)
    refuse("'${name}' is a field of '${root}', which no OPTIONS before it declares")
  endif()
  describe(${name} ATTRIBUTE ${type} "TSR_OP_OPTIONAL | TSR_OP_FIELD" ${ARGN})
  string(APPEND locals "  ${statement};\n")
endmacro()

macro(quant_fields struct prefix)
  option_field(${struct} ${prefix}scale REAL "${struct}.scale = (float)slots->${prefix}scale.real" ".most = 1")
  option_field(${struct} ${prefix}zero INT "${struct}.zero = (int32_t)slots->${prefix}zero.integer" ".most = sizeof(int32_t)")
  option_field(${struct} ${prefix}scales REALS "${struct}.scales = slots->${prefix}scales.list" ".takes = TSR__LIST_F32"
               ".most = TSR_OP_ANY_COUNT")
  string(APPEND locals "  ${struct}.count = slots->${prefix}scales.count;\n")
  option_field(${struct} ${prefix}zeros INTS "${struct}.zeros = slots->${prefix}zeros.list" ".takes = TSR__LIST_I32"
               ".most = TSR_OP_AS_BEFORE")
  option_field(${struct} ${prefix}axis AXIS "${struct}.axis = tsr__op_small_axis(&slots->${prefix}axis)" ".most = sizeof(int)")
  option_field(${struct} ${prefix}dtype DTYPE "${struct}.dtype = (uint8_t)slots->${prefix}dtype.integer"
               ".most = sizeof(uint8_t)")
endmacro()

# The lists of a tsr_quant inside of a struct that a copy of the attributes follows.
macro(quant_pointers type at)
  pointer("offsetof(${type}, ${at}scales)" "offsetof(${type}, ${at}count)" "sizeof(float)" TSR__ATTR_INSIDE)
  pointer("offsetof(${type}, ${at}zeros)" "offsetof(${type}, ${at}count)" "sizeof(int32_t)" TSR__ATTR_INSIDE_WITH)
endmacro()

macro(whole_number type name table_type takes default)
  set(flags TSR_OP_OPTIONAL)
  set(more ".most = sizeof(${type})" ".default_value.integer = ${default}")
  if("${default}" STREQUAL "REQUIRED")
    set(flags 0)
    set(more ".most = sizeof(${type})")
  endif()
  describe(${name} ATTRIBUTE ${table_type} ${flags} ${takes} ${more})
  pass("${type} " ${name} "(${type})slots->${name}.integer")
  attribute("${type} ${name}")
endmacro()

# Words may come in a later file: looked for at the end.
macro(use_words list)
  set_property(GLOBAL APPEND PROPERTY WORDS_USED "${place}|${list}")
endmacro()

# Reads parameters; gives slots, params, prototype, arguments, locals, operands, inputs, outputs, fields, pointers.
function(read_parameters text)
  set(inputs 0)
  set(outputs 0)
  foreach(result slots params prototype arguments locals operands fields pointers structs words)
    set(${result} "")
  endforeach()
  while(NOT text STREQUAL "")
    if(NOT text MATCHES "^([A-Z][A-Z0-9_]*)(\\(([^()]*)\\))? *(.*)$")
      refuse("${kind}: '${text}' is no list of parameters")
    endif()
    set(word ${CMAKE_MATCH_1})
    set(a "${CMAKE_MATCH_3}")
    set(text "${CMAKE_MATCH_4}")
    string(REGEX REPLACE " *, *" ";" a "${a}")
    if(DEFINED SHARED_${word})
      string(REPLACE "@" "${a}" body "${SHARED_${word}}")
      string(STRIP "${body} ${text}" text)
      continue()
    endif()
    if(NOT DEFINED ARGUMENTS_${word})
      refuse("${kind}: there is no parameter '${word}'")
    endif()
    list(LENGTH a count)
    if(NOT count EQUAL ARGUMENTS_${word})
      refuse("${kind}: ${word} has ${ARGUMENTS_${word}} arguments, not ${count}")
    endif()
    string(REPLACE ";" "," columns "${a}")
    list(APPEND words "${word},${columns}")
    list(POP_FRONT a n)
    parameter()
  endwhile()
  foreach(result slots params prototype arguments locals operands inputs outputs fields pointers words)
    set(${result} "${${result}}" PARENT_SCOPE)
  endforeach()
endfunction()

# One parameter: word, its first argument n, the others in a.
macro(parameter)
  if(word MATCHES "^(OPTIONAL_)?(IN|OUT|OPTIONAL)(_OF)?$")
    set(flags 0)
    set(how "")
    set(more ".most = 1")
    if(word MATCHES "^OPTIONAL")
      set(flags TSR_OP_OPTIONAL)
      set(how TSR__OPERAND_OPTIONAL)
    endif()
    if(word MATCHES "OUT")
      if(word MATCHES "_OF$")
        resolve(${a} GIVES value)
        list(PREPEND more ".takes = TSR_GIVES_${value}")
      endif()
      describe(${n} OUTPUT TENSOR ${flags} ${more})
      pass("tsr_tensor *" ${n} "slots->${n}.out")
      list(PREPEND how TSR__OPERAND_OUTPUT)
      string(REPLACE ";" " | " how "${how}")
    else()
      if(word MATCHES "_OF$")
        resolve(${a} TAKES value)
        list(PREPEND more ".takes = TSR__TAKES_${value}")
      endif()
      describe(${n} INPUT TENSOR ${flags} ${more})
      pass("const tsr_tensor *" ${n} "slots->${n}.in")
    endif()
    if(how STREQUAL "")
      set(how 0)
    endif()
    operand(${n} "${how}")
  elseif(word STREQUAL "MANY")
    describe(${n} INPUT TENSORS 0 ".most = TSR_OP_ANY_COUNT")
    pass("int " ${n}_count "slots->${n}.count")
    pass("const tsr_tensor *const *" ${n} "slots->${n}.many")
    operand(${n} TSR__OPERAND_MANY)
  elseif(word STREQUAL "OUTS")
    describe(${n} OUTPUT TENSORS 0 ".most = TSR_OP_ANY_COUNT")
    pass("int " ${n}_count "slots->${n}.count")
    pass("tsr_tensor *" ${n} "slots->${n}.out")
    operand(${n} "TSR__OPERAND_OUTPUT | TSR__OPERAND_MANY")
  elseif(word STREQUAL "OUTS_AS_MANY")
    describe(${n} OUTPUT TENSORS 0 ".most = TSR_OP_AS_BEFORE")
    pass("tsr_tensor *" ${n} "slots->${n}.out")
    operand(${n} "TSR__OPERAND_OUTPUT | TSR__OPERAND_MANY")
  elseif(DEFINED INTEGER_${word})
    list(GET INTEGER_${word} 0 type)
    list(GET INTEGER_${word} 1 table_type)
    whole_number(${type} ${n} ${table_type} "" "${a}")
  elseif(word STREQUAL "WORD")
    set(type ${n})
    list(POP_FRONT a n texts)
    use_words(${texts})
    whole_number(${type} ${n} WORD ".takes = TSR__WORDS_${texts}" "${a}")
  elseif(word STREQUAL "REAL")
    set(flags TSR_OP_OPTIONAL)
    set(more ".default_value.real = (tsr_real)${a}")
    if(a STREQUAL "REQUIRED")
      set(flags 0)
      set(more "")
    endif()
    describe(${n} ATTRIBUTE REAL ${flags} ${more})
    pass("tsr_real " ${n} "slots->${n}.real")
    attribute("tsr_real ${n}")
  elseif(word STREQUAL "REAL_OR_NULL")
    describe(${n} ATTRIBUTE REAL TSR_OP_OPTIONAL ".default_value.real = (tsr_real)NAN")
    pass("const tsr_real *" ${n} "slots->${n}.count > 0 ? &slots->${n}.real : NULL")
    attribute_pointer(tsr_real ${n} "sizeof(tsr_real)")
  elseif(word STREQUAL "COMPLEX")  # its parts are a list of two
    describe(${n} ATTRIBUTE REALS 0 ".least = 2" ".most = 2")
    pass("tsr_complex " ${n} "tsr__op_complex(&slots->${n})")
    attribute("tsr_complex ${n}")
  elseif(word STREQUAL "TEXT")
    describe(${n} ATTRIBUTE TEXT 0 ".most = 1")
    pass("const char *" ${n} "slots->${n}.text")
    attribute_pointer(char ${n} TSR__ATTR_TEXT)
  elseif(word STREQUAL "RNG")  # the caller's generator, also in a copy of the attributes
    describe(${n} ATTRIBUTE RNG 0 ".most = 1")
    pass("tsr_rng *" ${n} "slots->${n}.rng")
    attribute("tsr_rng *${n}")
  elseif(DEFINED LIST_${word})
    set(list ${LIST_${word}})
    list(POP_FRONT list type table_type flags least most)
    describe(${n} ATTRIBUTE ${table_type} ${flags} ".least = ${least}" ".most = ${most}")
    if(word IN_LIST COUNTED)
      pass("int " ${n}_count "slots->${n}.count")
    endif()
    pass("const ${type} *" ${n} "slots->${n}.list")
    attribute("const ${type} *${n}")
    attribute("int ${n}_count")
    pointer("offsetof(tsr__${kind}_attrs, ${n})" "offsetof(tsr__${kind}_attrs, ${n}_count)" "sizeof(${type})" 0)
  elseif(word STREQUAL "OPTIONS")
    options_struct(${n} ${a})
  elseif(word STREQUAL "OBJECT")
    if(NOT n IN_LIST OBJECTS)
      refuse("${kind}: there is no object '${n}'")
    endif()
    string(TOUPPER ${n} object)
    describe(${a} ATTRIBUTE OBJECT 0 ".takes = TSR_OBJECT_${object}")
    pass("const tsr_${n} *" ${a} "slots->${a}.object")
    attribute_pointer(tsr_${n} ${a} "sizeof(tsr_${n})")
  elseif(word STREQUAL "PART")
    operand(${n} 0)
  elseif(word STREQUAL "OPTIONAL_PART")
    operand(${n} TSR__OPERAND_OPTIONAL)
  elseif(word STREQUAL "QUANT")
    options_struct(tsr_quant ${n})
    quant_fields(${n} "${a}")
    quant_pointers(tsr_quant "")
  elseif(word STREQUAL "SCHEME")
    options_struct(tsr_qscheme ${n})
    foreach(part x w out)
      quant_fields(${n}.${part} ${part}_)
      quant_pointers(tsr_qscheme ${part}.)
    endforeach()
    set(text "FIELD_WORD(${n}, activation, qactivation) ${text}")
  elseif(word STREQUAL "FIELD_ACTIVATION")
    use_words(activation)
    option_field(${n} activation WORD "${n}.kind = tsr__op_activation(&slots->activation)" ".takes = TSR__WORDS_activation"
                 ".most = 4")
    option_field(${n} activation_alpha REAL "${n}.alpha = slots->activation_alpha.real" ".most = 1")
    option_field(${n} activation_beta REAL "${n}.beta = slots->activation_beta.real" ".most = 1")
  else()
    field()
  endif()
endmacro()

# The same for a FIELD_...: n is the struct.
macro(field)
  list(POP_FRONT a name)
  if(word MATCHES "^FIELD_(FLAG|INT|DTYPE|WORD)$")
    set(table_type ${CMAKE_MATCH_1})
    set(more "")
    if(table_type STREQUAL "FLAG")
      set(table_type BOOL)
      set(type bool)
    elseif(table_type STREQUAL "INT")
      set(type tsr_index)
    else()
      set(type uint8_t)
    endif()
    if(table_type STREQUAL "WORD")
      use_words(${a})
      set(more ".takes = TSR__WORDS_${a}")
    endif()
    option_field(${n} ${name} ${table_type} "${n}.${name} = (${type})slots->${name}.integer" ${more} ".most = sizeof(${type})")
  elseif(word STREQUAL "FIELD_REAL")
    option_field(${n} ${name} REAL "${n}.${name} = slots->${name}.real" ".most = 1")
  elseif(word MATCHES "^FIELD_(INTS|REALS)$")
    set(table_type ${CMAKE_MATCH_1})
    list(POP_FRONT a least most)
    option_field(${n} ${name} ${table_type} "tsr__op_put_list(&slots->${name}, ${n}.${name}, sizeof ${n}.${name}[0])"
                 ".least = ${least}" ".most = ${most}")
  else()  # a tensor among the options
    set(flags TSR_OP_FIELD)
    set(how 0)
    set(more ".most = 1")
    if(word MATCHES "OPTIONAL")
      set(flags "TSR_OP_OPTIONAL | TSR_OP_FIELD")
      set(how TSR__OPERAND_OPTIONAL)
    endif()
    if(word MATCHES "_OF$")
      resolve(${a} TAKES value)
      list(PREPEND more ".takes = TSR__TAKES_${value}")
    endif()
    describe(${name} INPUT TENSOR "${flags}" ${more})
    string(APPEND locals "  ${n}.${name} = slots->${name}.in;\n")
    operand(${name} ${how})
  endif()
endmacro()

# ---- rows ----

function(add_kind kind parameters)
  if(DEFINED PLACE_OF_KIND_${kind})
    refuse("'${kind}' is described already at ${PLACE_OF_KIND_${kind}}")
  endif()
  read_parameters("${parameters}")
  string(REGEX MATCHALL ".name = " all "${params}")
  list(LENGTH all count)
  string(REPLACE "${SOURCE}/" "" where "${place}")
  set(table "/* ---- ${kind}: ${where} ---- */

typedef struct slots_${kind} {
${slots}} slots_${kind};
_Static_assert(sizeof(slots_${kind}) <= TSR__OP_SLOTS * sizeof(tsr__op_slot), \"${kind}: more than TSR__OP_SLOTS\");

static const tsr_op_param params_${kind}[] = {
${params}};

typedef tsr_status fn_${kind}(tsr_ctx *ctx${prototype});

static tsr_status run_${kind}(tsr__op_call *call) {
  const slots_${kind} *const slots = (const slots_${kind} *)(const void *)call->slots;
  fn_${kind} *const function = (fn_${kind} *)call->op->function;
${locals}  return function(call->ctx${arguments});
}

")
  set(header "/* ${where} */
typedef struct tsr__${kind}_attrs {
  char none; /* of an op without */
${fields}} tsr__${kind}_attrs;
static const tsr__operand_info tsr__${kind}_operands[] = {
${operands}    {TSR__OPERAND_NAME(\"\") TSR__OPERAND_END},
};
enum { tsr__${kind}_inputs = ${inputs}, tsr__${kind}_outputs = ${outputs} };
#if TSR_HAVE_OPS
static inline const tsr__attr_pointer *tsr__${kind}_pointers(void) {
  static const tsr__attr_pointer all[] = {
${pointers}      {sizeof(tsr__${kind}_attrs), TSR__ATTR_END, 0, 0},
  };
  return all;
}
#endif

")
  set(KINDS "${KINDS}${table}" PARENT_SCOPE)
  set(FAMILY "${FAMILY}${header}" PARENT_SCOPE)
  set(KIND_NUMBERS "${KIND_NUMBERS}  KIND_${kind},\n" PARENT_SCOPE)
  set(KIND_ROWS "${KIND_ROWS}    [KIND_${kind}] = {params_${kind}, run_${kind}, ${count}},\n" PARENT_SCOPE)
  set(PLACE_OF_KIND_${kind} "${place}" PARENT_SCOPE)
  set(WORDS_OF_${kind} "${words}" PARENT_SCOPE)
endfunction()

function(add_op op kind takes gives)
  if(DEFINED PLACE_OF_OP_${op})
    refuse("the op '${op}' has a row already at ${PLACE_OF_OP_${op}}")
  endif()
  if(NOT DEFINED PLACE_OF_KIND_${kind})
    refuse("${op}: there is no kind or op '${kind}' before it")
  endif()
  string(LENGTH "${op}" length)
  if(length GREATER 27)
    refuse("the name of '${op}' is longer than 27 characters")
  endif()
  resolve("${takes}" TAKES takes)
  resolve("${gives}" GIVES gives)
  string(REPLACE "${SOURCE}/" "" where "${place}")
  set(CHECKS "${CHECKS}_Static_assert(_Generic(&tsr_${op}, fn_${kind} * : 1, default : 0),
               \"tsr_${op} has other parameters than its row, ${where}\");\n" PARENT_SCOPE)
  set(BRIEF_FIELDS "${BRIEF_FIELDS}  char ${op}[sizeof(TSR__BRIEF_${op})];\n" PARENT_SCOPE)
  set(BRIEFS "${BRIEFS}    TSR__BRIEF_${op},\n" PARENT_SCOPE)
  set(BRIEF_PLACES "${BRIEF_PLACES}    offsetof(struct briefs, ${op}),\n" PARENT_SCOPE)
  set(OPS "${OPS}    {.name = \"${op}\", .takes = TSR__TAKES_${takes}, .gives = TSR_GIVES_${gives}, .kind = KIND_${kind},
     .function = (void (*)(void))tsr_${op}}, /* ${where} */\n" PARENT_SCOPE)
  if(NOT op STREQUAL kind)
    string(APPEND FAMILY "typedef tsr__${kind}_attrs tsr__${op}_attrs;\n")
  endif()
  set(FAMILY "${FAMILY}extern const tsr__op_info tsr__op_${op};\n" PARENT_SCOPE)
  set(PLACE_OF_OP_${op} "${place}" PARENT_SCOPE)
  set(ALL_OPS "${ALL_OPS};${op}" PARENT_SCOPE)
  set(KIND_OF_${op} ${kind} PARENT_SCOPE)
  set(ROW_OF_${op} "${where}" PARENT_SCOPE)
endfunction()

# The rows NAME(op, rule, ...) of another file beside the ops.def, where NAME is macro (BINARY_*: whatever begins so).
function(read_rows file macro out)
  if(NOT EXISTS ${file})
    refuse("there is no file ${file}")
  endif()
  read_lines(${file} lines)
  string(REPLACE "*" "[A-Z0-9_]*" pattern "${macro}")
  set(rows "")
  set(number -1)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line MATCHES "^${pattern}\\(([a-z0-9_]+)(, ([A-Z_]+))?")
      list(APPEND rows "${file}:${number}|${CMAKE_MATCH_1}|${CMAKE_MATCH_3}")
    endif()
  endforeach()
  if(rows STREQUAL "")
    refuse("${file} has no row ${macro}(...)")
  endif()
  set(${out} "${rows}" PARENT_SCOPE)
endfunction()

# A statement of an ops.def.
macro(statement text)
  set(name "[a-z][a-z0-9_]*")
  if("${text}" MATCHES "^OP\\((${name}), *([A-Za-z0-9_]+), *([A-Za-z0-9_]+), *(.*)\\)$")
    set(row "${CMAKE_MATCH_1};${CMAKE_MATCH_1};${CMAKE_MATCH_2};${CMAKE_MATCH_3}")
    add_kind(${CMAKE_MATCH_1} "${CMAKE_MATCH_4}")
    add_op(${row})
  elseif("${text}" MATCHES "^KIND\\((${name}), *(.*)\\)$")
    add_kind(${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
  elseif("${text}" MATCHES "^LIKE\\((${name}), *(${name}), *([A-Za-z0-9_]+), *([A-Za-z0-9_]+)\\)$")
    add_op(${CMAKE_MATCH_1} ${CMAKE_MATCH_2} ${CMAKE_MATCH_3} ${CMAKE_MATCH_4})
  elseif("${text}" MATCHES "^WORDS\\((${name}), *((${name} *)+)\\)$")
    set(list ${CMAKE_MATCH_1})
    set(HAS_WORDS_${list} TRUE)
    string(APPEND WORD_NUMBERS "  TSR__WORDS_${list},\n")
    string(REGEX REPLACE " +" "\\\\0" words "${CMAKE_MATCH_2}")
    string(APPEND WORD_TEXTS "    [TSR__WORDS_${list}] = \"${words}\\0\",\n")
  elseif("${text}" MATCHES "^SHARED\\(([A-Z][A-Z_]*), *(.*)\\)$")
    set(SHARED_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}")
    list(APPEND shared SHARED_${CMAKE_MATCH_1})
  elseif("${text}" MATCHES "^RULES\\(([a-z]+\\.def), *([A-Z0-9_*]+)\\)$")
    read_rows(${folder}/${CMAKE_MATCH_1} ${CMAKE_MATCH_2} rows)
    foreach(row IN LISTS rows)
      string(REGEX MATCH "\\|(.*)\\|(.*)$" row "${row}")
      set(RULE_OF_${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endforeach()
  elseif("${text}" MATCHES "^ROWS\\(([a-z]+\\.def), *([A-Z0-9_*]+), *LIKE\\(([^,]*), *([^,]*), *([^,]*), *([^,]*)\\)\\)$")
    set(row "${CMAKE_MATCH_3};${CMAKE_MATCH_4};${CMAKE_MATCH_5};${CMAKE_MATCH_6}")
    read_rows(${folder}/${CMAKE_MATCH_1} ${CMAKE_MATCH_2} rows)
    foreach(found IN LISTS rows)
      string(REGEX MATCH "^(.*)\\|(.*)\\|(.*)$" found "${found}")
      set(place ${CMAKE_MATCH_1})
      string(REPLACE "@1" "${CMAKE_MATCH_2}" columns "${row}")
      string(REPLACE "@2" "${CMAKE_MATCH_3}" columns "${columns}")
      add_op(${columns})
    endforeach()
  else()
    refuse("'${text}' is no OP, KIND, LIKE, WORDS, SHARED, RULES or ROWS, or has other columns")
  endif()
endmacro()

function(write_file file text)
  set(before "")
  if(EXISTS ${file})
    file(READ ${file} before)
  endif()
  if(NOT before STREQUAL text)
    file(WRITE ${file} "${text}")
  endif()
endfunction()

# ---- all of it ----

file(GLOB_RECURSE files RELATIVE ${SOURCE}/src ${SOURCE}/src/ops.def)
list(SORT files)
if(NOT files)
  message(FATAL_ERROR " ${SOURCE}/src: there is no ops.def")
endif()
foreach(file IN LISTS files)
  get_filename_component(folder ${SOURCE}/src/${file} DIRECTORY)
  read_lines(${SOURCE}/src/${file} lines)
  set(FAMILY "")
  set(shared "")
  set(text "")
  set(depth 0)
  set(number -1)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    if(line STREQUAL "")
      continue()
    endif()
    if(text STREQUAL "")
      set(start ${number})
    endif()
    set(place ${SOURCE}/src/${file}:${start})
    string(STRIP "${text} ${line}" text)
    string(REGEX MATCHALL "\\(" opened "${text}")
    string(REGEX MATCHALL "\\)" closed "${text}")
    list(LENGTH opened opened)
    list(LENGTH closed closed)
    if(closed GREATER_EQUAL opened)
      statement("${text}")
      set(text "")
    endif()
  endforeach()
  if(NOT text STREQUAL "")
    refuse("a bracket is not closed")
  endif()
  foreach(name IN LISTS shared)
    unset(${name})
  endforeach()
  if(EXISTS ${folder}/ops.h)
    get_filename_component(family ${file} DIRECTORY)
    write_file(${OUTPUT}/tsr_ops/${family}.h "/* Written by cmake/op_table.cmake from src/${file}: what the frame of a call knows of these ops.
 * For each way to be called: tsr__<kind>_attrs, its attributes (lists and options by pointer, as the caller gave them);
 * tsr__<kind>_operands, its inputs and then its outputs; tsr__<kind>_pointers, what a copy of the attributes has to follow.
 * For each op: its tsr__op_info, which TSR__OP defines beside the function. */
#include \"core/call.h\"

${FAMILY}")
  endif()
endforeach()
get_property(words_used GLOBAL PROPERTY WORDS_USED)
foreach(used IN LISTS words_used)
  string(REGEX MATCH "^(.*)\\|(.*)$" used "${used}")
  if(NOT DEFINED HAS_WORDS_${CMAKE_MATCH_2})
    set(place ${CMAKE_MATCH_1})
    refuse("there is no WORDS(${CMAKE_MATCH_2}, ...)")
  endif()
endforeach()

write_file(${OUTPUT}/tsr_op_table.c "/* Written by cmake/op_table.cmake from every ops.def under src: the table of ops. */

/* Words: their numbers, then their texts. */
enum {
  TSR__WORDS_none,
${WORD_NUMBERS}};
const char *const tsr__op_words[] = {
    \"\",
${WORD_TEXTS}};

${KINDS}/* ---- the ways to be called, by their numbers ---- */

enum {
${KIND_NUMBERS}};
const tsr__op_kind_row tsr__op_kinds[] = {
${KIND_ROWS}};

/* ---- whether the functions are called so ---- */

${CHECKS}
/* ---- the beginnings of their comments, one behind the other: rows need no pointers to them ---- */

static const struct briefs {
${BRIEF_FIELDS}} briefs = {
${BRIEFS}};
static const uint16_t brief_at[] = {
${BRIEF_PLACES}};

/* ---- the ops ---- */

const tsr_op tsr__op_table[] = {
${OPS}};
")
if(HEADER)
  include(${CMAKE_CURRENT_LIST_DIR}/op_cpp.cmake)
endif()
