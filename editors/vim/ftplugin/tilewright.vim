" Settings for tilewright schedules.
setlocal commentstring=//\ %s
setlocal comments=://
setlocal expandtab shiftwidth=2 softtabstop=2
setlocal iskeyword+=.
