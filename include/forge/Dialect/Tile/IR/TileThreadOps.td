// Instructions of one thread that the dialects of MLIR lack.
#ifndef FORGE_DIALECT_TILE_THREADOPS_TD
#define FORGE_DIALECT_TILE_THREADOPS_TD

include "forge/Dialect/Tile/IR/TileBase.td"

def Tile_WgmmaOp : Tile_Op<"wgmma", [AllTypesMatch<["sums", "result"]>]> {
  let summary = "wgmma with the left factor in registers";
  let description = [{
    What `nvvm.wgmma.mma_async` is for factors in shared memory: one instruction of 64 rows, `columns` columns and 16
    terms. `left` are the thread's four words of the left factor, `right` is the descriptor of the right one, `sums` a
    struct of f32. Lowering tile programs makes it of a `tile.dot`; the code generator of NVIDIA's GPUs and the simulator
    know it.

    ```mlir
    %d = tile.wgmma %sums, [%w0, %w1, %w2, %w3], %right columns 8 element bf16 transposed
      : !llvm.struct<(f32, f32, f32, f32)>
    ```

    Constraints:
    - (C1) `columns` is a multiple of 8 from 8 to 256, and the struct has half as many fields.
    - (C2) `element` is bf16 or f16.
    - (C3) there are four words.
  }];
  let arguments = (ins AnyType:$sums, Variadic<I32>:$left, I64:$right, I64Attr:$columns, TypeAttr:$element,
                       UnitAttr:$transposed);
  let results = (outs AnyType:$result);
  let assemblyFormat = [{
    $sums `,` `[` $left `]` `,` $right `columns` $columns `element` $element (`transposed` $transposed^)? attr-dict
    `:` type($sums)
  }];
  let hasVerifier = 1;
}

def Tile_StampOp : Tile_Op<"stamp"> {
  let summary = "a stage of a role begins here in one thread's code";
  let description = [{
    Lowering kernels with time stamps makes it where a stage of a role begins, and then of it a store to memory that the
    launch carries. The role has `rows` rows, one for each group of its threads that goes through stages by itself; those
    of a block are numbered, and the role's begin at `first`. `row` is the thread's among the role's. A thread takes the stamp where `records` holds. The stage
    without a name is the end of the role.

    ```mlir
    tile.stamp "multiply" of "math" rows 2 from 1 at %warpgroup when %is_first
    ```

    Constraints:
    - (C1) there is a row or more, from 0 on.
  }];
  let arguments = (ins StrAttr:$stage, StrAttr:$role, I64Attr:$first, I64Attr:$rows, I32:$row, I1:$records);
  let assemblyFormat = "$stage `of` $role `rows` $rows `from` $first `at` $row `when` $records attr-dict";
  let hasVerifier = 1;
}

def Tile_TimeOp : Tile_Op<"time"> {
  let summary = "the time in nanoseconds";
  let description = [{
    Of a clock that all threads of a device share, from a point that is its own: %globaltimer of NVIDIA's GPUs, the
    constant clock of AMD's, the host's in the simulator. It is read where it is written: no load or store is moved past it.

    ```mlir
    %t = tile.time
    ```
  }];
  let results = (outs I64:$result);
  let assemblyFormat = "attr-dict";
}

#endif // FORGE_DIALECT_TILE_THREADOPS_TD
