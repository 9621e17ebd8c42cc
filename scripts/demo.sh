#!/bin/sh
# demo.sh — build varabs and abstract a bundled voting model with it.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh build
mkdir -p build/log build/demo
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
begin=$(date +%s)
echo "Building varabs (build/log/build-demo.log) ..."
make -j "$jobs" >build/log/build-demo.log 2>&1 || {
    cat build/log/build-demo.log >&2
    exit 1
}
echo "Built in $(($(date +%s) - begin)) s."
echo

model=benchmarks/models/postal_3_2.xml
set -- --remove Voter.mem_sg,Voter.mem_vt --may -o build/demo/postal.may.xml
echo "The model: $model, postal voting with 3 voters and 2 candidates."
echo
echo "\$ varabs info $model"
build/varabs info $model
echo
echo "Nothing reads what a voter remembers of the ballot, so those two variables can be removed:"
echo
echo "\$ varabs $model $*"
build/varabs $model "$@"
echo
echo "What changed:"
diff $model build/demo/postal.may.xml || true
echo
echo "Written: build/demo/postal.may.xml and build/demo/postal.may.json"
