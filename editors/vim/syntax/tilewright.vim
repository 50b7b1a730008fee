" Vim syntax file of tilewright schedules (*.tw).
" Written by: python -m tilewright.editor.highlighting
if exists("b:current_syntax")
  finish
endif

syntax case match

syntax match twName "\<\h\w*\%(\.\h\w*\)*\>"
syntax match twOp "\%(^\s*\|[=;{}]\s*\)\@<=\l[a-z_0-9]*\%(\.[a-z_][a-z_0-9]*\)\+\>"
syntax match twNumber "\<\d\+\%(\.\d\+\%([eE][+-]\?\d\+\)\?\)\?\>"
syntax region twString start=+"+ end=+"+ oneline
syntax region twMlir start=+`+ end=+`+ oneline
syntax match twComment "//.*$" contains=@Spell
syntax match twVerb "\%(^\s*\|[=;{}]\s*\)\@<=\<\%(eliminate_empty_tensors\|get_consumers_of_result\|get_producer_of_operand\|apply_registered_pass\|collect_matching\|num_associations\|get_defining_op\|split_reduction\|apply_patterns\|named_sequence\|tile_reduction\|unroll_and_jam\|foreach_match\|get_parent_op\|merge_handles\|split_by_mask\|tile_and_fuse\|tile_parallel\|alternatives\|canonicalize\|fuse_sibling\|last_arriver\|split_handle\|split_stream\|descriptors\|get_operand\|interchange\|apply_licm\|generalize\|get_result\|specialize\|apply_cse\|apply_dce\|bufferize\|consumers\|decompose\|precision\|recompute\|replicate\|vectorize\|annotate\|coalesce\|collapse\|fuse_all\|get_type\|pad_rows\|patterns\|pipeline\|producer\|quantize\|run_pass\|foreach\|library\|operand\|outline\|overlap\|promote\|swizzle\|gather\|inline\|launch\|parent\|remark\|result\|select\|stream\|unfold\|unroll\|verify\|cache\|delay\|evict\|hoist\|match\|print\|split\|stage\|cast\|exp2\|fuse\|licm\|pack\|peel\|pick\|tile\|trim\|cse\|dce\|pad\)\>\%(\s*\%(=[^=]\|,\|:\)\)\@!"
syntax match twOption "\<\%(single_accumulator\|deduplicate\|descriptors\|per_channel\|persistent\|consumers\|copy_back\|lhs_scale\|ping_pong\|read_once\|registers\|rhs_scale\|keep_one\|optional\|reversed\|aligned\|flatten\|operand\|options\|nofold\|pinned\|result\|stages\|stream\|unroll\|values\|front\|group\|parts\|warps\|held\|nth\)\>\%(\s*=[^=]\)\@="
syntax match twFormWord "\<\%(implementing\|interchange\|after\|along\|named\|into\|onto\|with\|at\|by\|on\|to\)\>"
syntax match twFunction "\<\%(merge_unique\|elem_bits\|floordiv\|ceildiv\|implies\|is_pow2\|count\|merge\|range\|cdiv\|pow2\|abs\|dim\|ite\|max\|min\|xor\)\>(\@="
syntax match twRole "\%(\<\%(match\)?\=\s\+\)\@<=\<\%(contraction\|convolution\|elementwise\|reduction\|fill\)\>"
syntax match twDefinition "\<\%(schedule\|sequence\|decide\|import\)\>"
syntax match twStatement "\<\%(propagate\|for\s\+each\|matching\|shortest\|suppress\|default\|include\|permute\|require\|choose\|yield\|else\|knob\|try\|as\|in\|of\)\>"
syntax match twConstant "\<\%(false\|true\)\>"
syntax match twOperator "\<\%(and\|not\|or\)\>"

highlight default link twDefinition Keyword
highlight default link twStatement Statement
highlight default link twConstant Boolean
highlight default link twOperator Operator
highlight default link twVerb Function
highlight default link twOp Function
highlight default link twFormWord Keyword
highlight default link twOption Identifier
highlight default link twFunction Function
highlight default link twRole Constant
highlight default link twNumber Number
highlight default link twString String
highlight default link twMlir Special
highlight default link twComment Comment

let b:current_syntax = "tilewright"
