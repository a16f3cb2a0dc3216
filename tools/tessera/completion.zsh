#compdef tessera
# Zsh completion for tessera. Commands and options come from the program itself, so that they cannot be out of step; after
# FILE: the names of its tensors are completed.

# Lines of help as NAME:DESCRIPTION.
_tessera_commands() { tessera help 2>/dev/null | sed -n 's/^  \([a-z][a-z]*\)  *\(.*\)/\1:\2/p'; }

_tessera_options() {
  tessera help "$1" 2>/dev/null | sed -n 's/^ *\(-[a-zA-Z], \)\{0,1\}\(--[a-z-]*\)\( [A-Z=]*\)\{0,1\}  *\(.*\)/\2:\4/p'
}

# The values that an option takes; nothing where any text will do.
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

_tessera_names() { tessera ls "$1" 2>/dev/null | sed '1d;$d' | sed 's/  .*//'; tessera ls -m "$1" 2>/dev/null | sed -n 's/^column\.[0-9]* = //p'; }

_tessera() {
  local command=${words[2]} word=${words[CURRENT]} values
  local -a found
  if (( CURRENT == 2 )) || { [[ $command == help ]] && (( CURRENT == 3 )) }; then
    found=(${(f)"$(_tessera_commands)"})
    _describe -t commands command found
    return
  fi
  if values=$(_tessera_values "${words[CURRENT-1]}"); then
    found=(${=values})
    compadd -a found
    return
  fi
  if [[ $command == ops && $word != -* ]]; then
    found=(${(f)"$(tessera ops 2>/dev/null | cut -d' ' -f1)"})
    compadd -a found
    return
  fi
  if [[ $command == cuda ]] && (( CURRENT == 3 )); then
    compadd warm
    return
  fi
  if [[ $command == calc && $word == [a-zA-Z_]*=* ]]; then # NAME=FILE:NAME
    word=${word#*=}
    compset -P '*='
  fi
  case $word in
    -*)
      found=(${(f)"$(_tessera_options "$command")"})
      _describe -t options option found
      ;;
    *:*)
      found=(${(f)"$(_tessera_names "${word%%:*}")"})
      compset -P '*:'
      compadd -a found
      ;;
    *) _files ;;
  esac
}

if [[ $funcstack[1] == _tessera ]]; then _tessera "$@"; else compdef _tessera tessera; fi
