# Completion of rig for bash. The program that is completed says itself what may follow.
_rig() {
    local IFS=$'\n' current=$2 before='' line kind kinds
    if [[ $current == --*=* ]]; then # COMP_WORDBREAKS without =
        before=${current%%=*}= current=${current#*=}
    fi
    COMPREPLY=()
    while read -r line; do
        if [[ $line != :files* ]]; then
            line=${line%%$'\t'*}
            [[ $line == "$current"* ]] && COMPREPLY+=("$before$line")
            continue
        fi
        compopt -o filenames 2>/dev/null
        IFS=' ' read -ra kinds <<<"${line#:files}"
        if (( ${#kinds[@]} == 0 )); then
            COMPREPLY+=($(compgen -P "$before" -f -- "$current"))
            continue
        fi
        COMPREPLY+=($(compgen -P "$before" -d -- "$current"))
        for kind in "${kinds[@]}"; do
            [[ $kind == / ]] || COMPREPLY+=($(compgen -P "$before" -f -X "!*.$kind" -- "$current"))
        done
    done < <("$1" complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -F _rig rig
