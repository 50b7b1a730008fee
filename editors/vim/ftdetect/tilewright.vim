autocmd BufNewFile,BufRead *.tw setfiletype tilewright
