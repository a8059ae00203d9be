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

#endif // FORGE_DIALECT_TILE_THREADOPS_TD
