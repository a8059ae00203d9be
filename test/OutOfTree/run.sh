#!/usr/bin/env bash
# Installs Forge from build directory $1 into a fresh prefix, builds this folder's project against it, runs its tool.
set -euo pipefail
build=$1 compiler=$2
here=$(cd "$(dirname "$0")" && pwd)
work=$build/test/OutOfTree
rm -rf "$work" && mkdir -p "$work"
cmake --install "$build" --prefix "$work/prefix" >"$work/install.log"
cmake -G Ninja -S "$here" -B "$work/build" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_C_COMPILER="${compiler/++/}" -DCMAKE_BUILD_TYPE=Release >"$work/configure.log"
cmake --build "$work/build"
"$work/build/my-opt" --my-count-ops --forge-pipeline="target=cpu to=linalg" "$here/input.txt" >"$work/out.mlir"
cat "$work/out.mlir"
grep -q 'my.ops = 2' "$work/out.mlir"
grep -q 'linalg' "$work/out.mlir"
"$work/prefix/bin/forge-opt" --help >/dev/null

# The reference alone: found, built and run where there is no MLIR.
cmake -G Ninja -S "$here/reference" -B "$work/reference" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON -DCMAKE_BUILD_TYPE=Release >"$work/reference.log"
cmake --build "$work/reference"
"$work/reference/reference-alone" >"$work/reference.txt"
cat "$work/reference.txt"
grep -q 'attention 12.000000 14.000000' "$work/reference.txt"
grep -q 'value gradient 0.500000 0.666667 0.833333' "$work/reference.txt"
if ldd "$work/reference/reference-alone" | grep LLVM; then exit 1; fi

# Compiled models from C, likewise.
cmake -G Ninja -S "$here/model" -B "$work/model" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="${compiler/++/}" \
  -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON -DCMAKE_BUILD_TYPE=Release >"$work/model.log"
cmake --build "$work/model"
"$work/prefix/bin/forge" compile "$here/model/doubled.txt" -o "$work/doubled.so"
"$work/model/model-alone" "$work/doubled.so" >"$work/model.txt"
cat "$work/model.txt"
grep -q '^2 4 6$' "$work/model.txt"
if ldd "$work/model/model-alone" | grep -E "LLVM|MLIR|stdc"; then exit 1; fi

# The plugin for JAX, beside the tools: found, and loaded with what it needs.
cmake -G Ninja -S "$here/plugin" -B "$work/plugin" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_C_COMPILER="${compiler/++/}" \
  -DCMAKE_DISABLE_FIND_PACKAGE_MLIR=ON -DCMAKE_DISABLE_FIND_PACKAGE_LLVM=ON -DCMAKE_BUILD_TYPE=Release >"$work/plugin.log"
cmake --build "$work/plugin"
"$work/plugin/plugin-alone" >"$work/plugin.txt"
cat "$work/plugin.txt"
grep -q "^PJRT 0\.90 of $work/prefix/lib/.*libforge_pjrt" "$work/plugin.txt"
