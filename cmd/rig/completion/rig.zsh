#compdef rig
# Completion of rig for zsh. The program that is completed says itself what may follow.
_rig() {
    local line kinds
    local -a lines values
    lines=("${(@f)$("${(Q)words[1]}" complete -- "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    compset -P '--*='
    for line in $lines; do
        case $line in
            ':files') _files ;;
            ':files /') _files -/ ;;
            ':files '*) kinds=${line#:files }; _files -g "*.${kinds// / *.}" ;;
            *$'\t'*) values+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
            *) values+=("${line//:/\\:}") ;;
        esac
    done
    (( $#values )) && _describe -V rig values
}
if [[ $funcstack[1] == _rig ]]; then
    _rig "$@"
else
    compdef _rig rig
fi
