# Bash completion for tessera. Commands and options come from the program itself, so that they cannot be out of step; after
# FILE: the names of its tensors are completed.
_tessera_options() { tessera help "$1" 2>/dev/null | sed -n 's/^ *\(-[a-zA-Z], \)\?\(--[a-z-]*\).*/\2/p'; }

_tessera_values() {
  case $1 in
    --color) echo auto always never ;;
    --csv) echo auto separator= comment= decimal= thousands= header=none header=first dates=dmy dates=mdy skip= rows= missing= short ;;
    --limit) echo header= tensors= inflated= pixels= total= none ;;
    --map) echo dusk gray diverging ;;
    --arch) echo 80 90 80,90 ;;
    -k | --kind) echo heat hist line grid image ;;
    -t | --to) tessera info 2>/dev/null | sed -n 's/^formats  *//p' ;;
    -d | --dtype) tessera info 2>/dev/null | sed -n 's/^dtypes  *//p' ;;
    -l | --layout) echo plain NCL NLC NCHW NHWC OIHW OHWI HWIO NC4HW NC8HW NCDHW NDHWC ;;
    *) return 1 ;;
  esac
}

# The word before the cursor with its colons: bash splits words at them.
_tessera_word() {
  local line=${COMP_LINE:0:COMP_POINT}
  echo "${line##*[[:space:]]}"
}

# The columns of a table of numbers, which is one tensor.
_tessera_columns() { tessera ls -m "$1" 2>/dev/null | sed -n 's/^column\.[0-9]* = //p'; }

_tessera_names() {
  local file=${1%%:*} start=${1#*:} name
  { tessera ls "$file" 2>/dev/null | sed '1d;$d' | sed 's/  .*//'; _tessera_columns "$file"; } | while IFS= read -r name; do
    case $name in "$start"*) echo "$name" ;; esac
  done
}

_tessera() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command=${COMP_WORDS[1]} word values
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ] || { [ "$command" = help ] && [ "$COMP_CWORD" -eq 2 ]; }; then
    mapfile -t COMPREPLY < <(compgen -W "$(tessera help | sed -n 's/^  \([a-z]\+\)  .*/\1/p')" -- "$current")
    return
  fi
  if values=$(_tessera_values "$previous"); then
    mapfile -t COMPREPLY < <(compgen -W "$values" -- "$current")
    return
  fi
  word=$(_tessera_word)
  if [ "$command" = calc ] && [[ $word == [a-zA-Z_]*=* ]]; then word=${word#*=}; fi # NAME=FILE:NAME
  if [ "$command" = ops ] && [[ $word != -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$(tessera ops 2>/dev/null | cut -d' ' -f1)" -- "$current")
    return
  fi
  if [ "$command" = cuda ] && [ "$COMP_CWORD" -eq 2 ]; then
    mapfile -t COMPREPLY < <(compgen -W warm -- "$current")
    return
  fi
  case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(_tessera_options "$command")" -- "$current") ;;
    *:*) mapfile -t COMPREPLY < <(_tessera_names "$word") ;; # bash itself keeps what stands before the colon
    *) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
  esac
}

complete -o filenames -F _tessera tessera
