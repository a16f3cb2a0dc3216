#!/usr/bin/env bash
# Help, the manual page, completion: all of them name the same commands and options.
. "$(dirname "$0")/lib.sh"
run 0 --help
cp stdout all
run 0 help
check "help is --help" cmp stdout all
run 2  # no command: the same text, and not done
check "no command says the same" cmp stdout all
run 0 --version
says stdout "tessera $(sed -n 's/.*VERSION_STRING "\(.*\)"/\1/p' "$BUILD/include/tessera/config.h")"
says all "Exit codes: 0 done"

mapfile -t commands < <(sed -n 's/^  \([a-z]\+\)  .*/\1/p' all)
if [ ${#commands[@]} -ge 9 ]; then pass; else fail "only ${#commands[@]} commands in help"; fi
man=$SOURCE/tools/tessera/tessera.1
page=$(sed 's/\\-/-/g' "$man")

for command in "${commands[@]}"; do
  run 0 help "$command"
  cp stdout "$command.help"
  run 0 "$command" --help
  check "$command --help is help $command" cmp stdout "$command.help"
  says "$command.help" "Examples:"
  usage=$(sed -n '1s/^Usage: //p' "$command.help")
  if grep -qF ".SS \"$usage\"" <<<"$page"; then pass; else fail "tessera.1 has no section \"$usage\""; fi
  said=$(sed -n '/^Options:/,/^Examples:/p' "$command.help" | grep -E '^ +-' | grep -oE -- '--[a-z-]+( [A-Z=]+)?' |
    grep -vE -- '--(color|csv|limit|help)' | sort || true)
  section=$(awk -v start=".SS \"$usage\"" '$0 == start {p = 1; next} /^\.S[SH]/ {p = 0} p' <<<"$page")
  named=$(grep -A1 '^\.TP' <<<"$section" | grep -oE -- '--[a-z-]+( [A-Z=]+)?' | sort || true)
  if [ "$said" = "$named" ]; then pass; else fail "tessera.1 and help $command differ"; diff <(echo "$said") <(echo "$named") || true; fi
  letters=$(sed -n '/^Options:/,/^Examples:/p' "$command.help" | grep -oE '^  -[a-z],' | tr -d ' ,' | grep -v -- -h | sort || true)
  paged=$(grep -A1 '^\.TP' <<<"$section" | grep -oE '^\.BR -[a-z] ' | cut -d' ' -f2 | sort || true)
  if [ "$letters" = "$paged" ]; then pass; else fail "the letters of $command differ in tessera.1: $letters, $paged"; fi
  long=$(awk 'length > 120' "$command.help")
  if [ -z "$long" ]; then pass; else fail "help $command has lines over 120 characters: $long"; fi
done

# The examples of help are calls that the command line understands: none has an unknown option.
for command in "${commands[@]}"; do
  while read -r word; do
    if grep -qE -- "(^|[ ,])$word( |$)" "$command.help"; then pass; else fail "help $command has an example with $word"; fi
  done < <(sed -n '/^Examples:/,$p' "$command.help" | grep -E "tessera $command" | sed 's/|.*//' | grep -oE -- ' --?[a-z-]+' | tr -d ' ' | sort -u)
done

# Where documents were left out of a container, man is there and says only that.
if man --version 2>/dev/null | hears '^man [0-9]' && man --warnings -E UTF-8 -l "$man" >page.txt 2>warnings; then
  silent warnings
  says page.txt "tessera - tensor files from the shell"
else
  skip "man is not installed"
fi

# ---- completion ----
PATH=$(dirname "$TESSERA"):$PATH
complete_line() {  # complete_line WORD...: what would be offered for the last word
  COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
  COMP_LINE="$*"
  COMP_POINT=${#COMP_LINE}
  _tessera
  printf '%s\n' "${COMPREPLY[@]}"
}
. "$SOURCE/tools/tessera/completion.bash"
offers() { if complete_line "${@:2}" | hears -xF -- "$1"; then pass; else fail "completion of '${*:2}' does not offer $1"; fi; }
offers convert tessera co
offers stats tessera help st
offers --quantiles tessera stats --q
offers --rename tessera convert --re
offers diverging tessera plot --map d
offers safetensors tessera convert --to s
offers bf16 tessera convert --dtype b
offers encoder.w tessera show model.safetensors:enc
offers ramp.npy tessera show ram
offers log_softmax tessera ops log_s
offers encoder.w tessera calc 'x*2' x=model.safetensors:enc
offers --long tessera ops --l
offers warm tessera cuda w
offers --per-channel tessera quantize --per
offers separator= tessera show --csv sep
printf 'time,temperature\n1,2\n' >columns.csv
offers temperature tessera show columns.csv:te
offers --arch tessera cuda warm --a

# ---- the same for zsh: its words are those of help, and of bash's completion ----
zsh=$SOURCE/tools/tessera/completion.zsh
# The parts that need no shell of their own: sh reads them.
sed -n '/^_tessera_commands()/p; /^_tessera_options()/,/^}/p; /^_tessera_values()/,/^}/p; /^_tessera_names()/p' "$zsh" >parts.sh
. ./parts.sh
same() { if [ "$2" = "$3" ]; then pass; else fail "$1: '$2' instead of '$3'"; fi; }
same "zsh's commands" "$(_tessera_commands | cut -d: -f1 | xargs)" "${commands[*]}"
for command in "${commands[@]}"; do
  said=$(sed -n '/^Options:/,/^Examples:/p' "$command.help" | grep -E '^ +-' | grep -oE -- '--[a-z-]+' | sort -u | xargs)
  same "zsh's options of $command" "$(_tessera_options "$command" | cut -d: -f1 | sort -u | xargs)" "$said"
done
for option in --color --csv --limit --map -k --kind -t --to -d --dtype -l --layout; do
  of_zsh=$(_tessera_values $option | xargs)
  same "zsh's values of $option" "$of_zsh" "$(bash -c ". '$SOURCE/tools/tessera/completion.bash'; _tessera_values $option" | xargs)"
  if [ -n "$of_zsh" ]; then pass; else fail "$option has no values"; fi
done
same "zsh's names" "$(_tessera_names model.safetensors | xargs)" "encoder.w encoder.b head.w ids mask a[0]"
if command -v zsh >/dev/null; then
  check "completion.zsh is zsh" zsh -n "$zsh"
  zsh -f -c 'autoload -Uz compinit; compinit -u -D; source "$1"; (( $+functions[_tessera] )) && [[ $_comps[tessera] == _tessera ]]' - "$zsh" </dev/null >zsh.out 2>&1 &&
    pass || { fail "zsh does not take the completion"; cat zsh.out; }
else
  skip "zsh is not installed"
fi
finish
