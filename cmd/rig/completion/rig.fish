# Completion of rig for fish. The program that is completed says itself what may follow.
function __rig_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l before (string match -r -- '^--[^=]+=' $current)
    set -l value (string replace -- "$before" '' $current)
    set -l program $words[1]
    set -e words[1]
    for line in ($program complete -- $words $current 2>/dev/null)
        set -l kinds (string match -rg -- '^:files ?(.*)' $line | string split -n ' ')
        if not string match -q -- ':files*' $line
            printf '%s\n' "$before$line"
        else if test (count $kinds) = 0
            printf '%s\n' "$before"(__fish_complete_path $value)
        else
            for path in (__fish_complete_path $value)
                string match -qr -- '/(\t|$)|\.('(string join '|' $kinds)')(\t|$)' $path
                and printf '%s\n' "$before$path"
            end
        end
    end
end
complete -c rig -f -a '(__rig_complete)'
