# The kinds of figures are completed, and options that name files of any kind.
oa-heatmap --completion zsh | grep KIND
oa-heatmap --completion fish | grep use_subcommand
oa-heatmap --completion zsh | grep -c '_files'
oa-heatmap --completion bash >words
bash -c '. ./words; COMP_WORDS=(oa-heatmap cu); COMP_CWORD=1; _oa_heatmap; echo "${COMPREPLY[@]}"'
