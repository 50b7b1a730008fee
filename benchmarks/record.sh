#!/usr/bin/env bash
# Record the matmul + relu results of one GPU machine: correctness of every alternative,
# a tuning run of 100 trials, and the comparison with the rivals.
# Usage, from the project's root:  benchmarks/record.sh OUT_FOLDER [PYTHON]
set -uo pipefail
out=${1:?usage: benchmarks/record.sh OUT_FOLDER [PYTHON]}
python=${2:-python3}
example=examples/matmul_relu
mkdir -p "$out"

$python benchmarks/correctness.py --out "$out/correctness.json" |
  tee "$out/correctness.txt"

payload=$(mktemp --suffix=.mlir)
trap 'rm -f "$payload"' EXIT
$python $example/generate.py --m 4096 --n 4096 --k 4096 --dtype bf16 -o "$payload"
$python -m tilewright tune "$payload" -s $example/tuned.tw --trials 100 \
  --db "$out/tuning.db" -o "$out/best.tw" --summary "$out/tuning.json" |
  tee "$out/tuning.txt"

point=BM=128,BN=256,BK=64,warps=8,group=8,tail_placement=fused
$python benchmarks/matmul_relu.py --size 4096 --dtype bf16 --rounds 9 --budget 330 \
  --out "$out/matmul_relu.json" --tuned-schedule "$out/best.tw" \
  --ours "descriptors=$example/tuned.tw:$point,stages=4,loads=descriptors" \
  --ours "pointers=$example/tuned.tw:$point,stages=4,loads=pointers" \
  --ours "second_kernel=$example/tuned.tw:${point/fused/second_kernel},stages=3,loads=pointers" \
  --ours tile=$example/tile.tw \
  --ours tile_fuse=$example/tile_fuse.tw \
  --ours tile_fuse_vectorize=$example/tile_fuse_vectorize.tw 2>&1 |
  grep -v -e 'select_algorithm' -e '^  triton_mm' -e '^AUTOTUNE' |
  tee "$out/matmul_relu.txt"
