// Operations of the tile dialect on tiles alone.
#ifndef FORGE_DIALECT_TILE_VALUEOPS_TD
#define FORGE_DIALECT_TILE_VALUEOPS_TD

include "forge/Dialect/Tile/IR/TileBase.td"

def Tile_BroadcastOp : Tile_Op<"broadcast", [Pure]> {
  let summary = "repeats a tile along new dimensions";
  let description = [{
    `dims` are those of the result that the operand does not have.

    ```mlir
    %w = tile.broadcast %v dims [0] : tensor<32xf32, #col> -> tensor<128x32xf32, #acc>
    ```

    Constraints:
    - (C1) `dims` are dimensions of the result, ascending; the others are the operand's.
    - (C2) element types agree.
    - (C3) the operand's layout is the result's without `dims`.
  }];
  let arguments = (ins Tile_Tile:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$operand `dims` $dims attr-dict `:` type($operand) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ConvertOp : Tile_Op<"convert", [SameOperandsAndResultElementType, SameOperandsAndResultShape]> {
  let summary = "the same elements in another layout";
  let description = [{
    ```mlir
    %o = tile.convert %h : tensor<128x32xbf16, #acc> -> tensor<128x32xbf16, #out>
    ```
  }];
  let arguments = (ins Tile_Tile:$operand);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` qualified(type($result))";
}

def Tile_DotOp : Tile_Op<"dot", [AllTypesMatch<["acc", "result"]>]> {
  let summary = "a product of two matrices, added to a third";
  let description = [{
    Factors are [m, k] and [n, k], `transposed` ones [k, m] and [k, n]; the accumulator is [m, n]. Terms are added k
    ascending, by `fma` one after the other, by matrix instructions as many at once as the instruction takes: the last
    number of its shape. `wgmma` is an instruction of four warps, whose factors are in shared memory; `mma`, `mfma` and
    `wmma` are instructions of one warp, whose factors are in registers, on NVIDIA's chips, AMD's CDNA and AMD's RDNA.

    | kind | shapes of instructions | factors | accumulator |
    |---|---|---|---|
    | `fma` | none | floats or integers, of one type | the factors' type or a wider one |
    | `wgmma` | 64x8x16 to 64x256x16 | bf16, f16 | f32 |
    | `wgmma` | 64x8x32 to 64x256x32 | f8E4M3FN and f8E5M2, also one of each | f32 |
    | `wgmma` | 64x8x32 to 64x256x32 | i8 | i32 |
    | `mma` | 16x8x16 | bf16, f16 | f32 |
    | `mfma` | 32x32x8, 16x16x16 | bf16, f16 | f32 |
    | `wmma` | 16x16x16 | bf16, f16 | f32 |

    ```mlir
    %d = tile.dot wgmma<64x256x16> %a, %b, %acc : !A, !B, tensor<128x256xf32, #acc>
    %e = tile.dot mfma<32x32x8> %x, %w, %sum
      : tensor<128x16xbf16, #x>, tensor<128x16xbf16, #w>, tensor<128x128xf32, #sum>
    ```

    Constraints:
    - (C1) factors and accumulator have two dimensions, whose sizes agree.
    - (C2) the factors' element types agree, or are both f8; they and the accumulator's go with the instruction.
    - (C3) the instruction's shape is one of its kind; `fma` has none.
    - (C4) by `wgmma` the right factor is in shared memory, and factors there have a swizzle of 128 bytes.
    - (C5) by matrix instructions the accumulator has the instruction's layout: its lanes, and all steps below the
      instruction's rows and columns in lanes and registers.
    - (C6) by `fma` both factors are in shared memory or both in registers.
    - (C7) by `wgmma` a left factor in registers has the instruction's layout, and is not transposed.
    - (C8) by `mma`, `mfma` and `wmma` the factors are in registers, with the instruction's layout.
    - (C9) factors in registers go with the accumulator: a warp, by `fma` also a lane, has all of k, and the rows and
      columns that its part of the accumulator has. By `fma` they are not transposed; by `mma`, `mfma` and `wmma` a
      transposed one has the instruction's layout with its dimensions exchanged.
    - (C10) by `wgmma` factors of 8 bits are in shared memory and not transposed.
  }];
  let arguments = (ins Tile_DotKind:$kind, OptionalAttr<DenseI64ArrayAttr>:$instruction,
                       AnyTypeOf<[Tile_Shared, Tile_Tile]>:$lhs, UnitAttr:$transposedLhs,
                       AnyTypeOf<[Tile_Shared, Tile_Tile]>:$rhs, UnitAttr:$transposedRhs, Tile_Tile:$acc);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $kind (`` custom<Instruction>($instruction)^)? $lhs (`transposed` $transposedLhs^)? `,` $rhs
    (`transposed` $transposedRhs^)? `,` $acc attr-dict `:` qualified(type($lhs)) `,` qualified(type($rhs)) `,` type($acc)
  }];
  let hasVerifier = 1;
}

def Tile_IotaOp : Tile_Op<"iota", [Pure]> {
  let summary = "each element's index along a dimension";
  let description = [{
    ```mlir
    %column = tile.iota dim 1 : tensor<64x128xi32, #acc>
    ```

    Constraints:
    - (C1) `dim` is a dimension of the tile.
    - (C2) elements are integers or indices that hold every index.
    - (C3) the tile has a layout.
  }];
  let arguments = (ins I64Attr:$dim);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = "`dim` $dim attr-dict `:` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ReduceOp : Tile_Op<"reduce", [Pure]> {
  let summary = "reduces dimensions of a tile";
  let description = [{
    Order: a thread's registers ascending; then lanes that differ in one bit of their number, from bit 0 on, and warps
    likewise, the one without the bit first. `max` and `min` of floats give NaN where an element is NaN. All dimensions
    reduced, the result is a scalar.

    ```mlir
    %m = tile.reduce max %s dims [1] : tensor<64x128xf32, #acc> -> tensor<64xf32, #row>
    ```

    Constraints:
    - (C1) `dims` are dimensions of the operand, ascending, at least one; the others are the result's.
    - (C2) element types agree.
    - (C3) the result's layout is the operand's without `dims`.
  }];
  let arguments = (ins Tile_ReduceKind:$kind, Tile_Tile:$operand, DenseI64ArrayAttr:$dims);
  let results = (outs Tile_TileOrScalar:$result);
  let assemblyFormat = "$kind $operand `dims` $dims attr-dict `:` type($operand) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_ReshapeOp : Tile_Op<"reshape", [Pure]> {
  let summary = "the same elements in other dimensions, without moving data";
  let description = [{
    Of a tile or a shared buffer: elements keep their row-major numbers, and stay in the registers or at the place
    where they are. So rows of a tile can be a box of several dimensions of memory.

    ```mlir
    %x = tile.reshape %sum : tensor<128x32xf32, #acc> -> tensor<8x16x32xf32, #box>
    %b = tile.reshape %a : !tile.shared<128x64xbf16, sw128> -> !tile.shared<8x16x64xbf16, sw128>
    ```

    Constraints:
    - (C1) both are tiles or both are buffers, of as many elements of one type.
    - (C2) a thread holds the same elements in the same registers by both layouts.
    - (C3) of buffers the last dimension, the swizzle and the padding agree.
  }];
  let arguments = (ins AnyTypeOf<[Tile_Shared, Tile_Tile]>:$operand);
  let results = (outs AnyTypeOf<[Tile_Shared, Tile_Tile]>:$result);
  let assemblyFormat = "$operand attr-dict `:` qualified(type($operand)) `->` qualified(type($result))";
  let hasVerifier = 1;
}

def Tile_SliceOp : Tile_Op<"slice", [Pure]> {
  let summary = "a part of a tile or a buffer, without moving data";
  let description = [{
    The part begins at constant indices. Of a tile they are multiples of the layout's atom, so that it is a range of each
    thread's registers; an index may be that of a loop marked `tile.unroll`. Of a shared buffer they are multiples of the
    pattern, eight rows or one panel, and the part is one range of memory: several copies can fill one buffer.

    ```mlir
    %x = tile.slice %sum[%c0, %j] : tensor<128x256xf32, #acc> -> tensor<128x32xf32, #acc>
    %b = tile.slice %buffer[%c128, %c0] : !tile.shared<256x64xbf16, sw128> -> !tile.shared<128x64xbf16, sw128>
    ```

    Constraints:
    - (C1) there is an index for each dimension; the part is not larger than the tile or buffer.
    - (C2) element types and layouts, or swizzles, agree.
    - (C3) of a buffer, which has two dimensions, indices are constants; the part has whole rows of one panel, or all rows
      of whole panels.
  }];
  let arguments = (ins AnyTypeOf<[Tile_Shared, Tile_Tile]>:$operand, Variadic<Index>:$offsets);
  let results = (outs AnyTypeOf<[Tile_Shared, Tile_Tile]>:$result);
  let assemblyFormat = [{
    $operand `[` $offsets `]` attr-dict `:` qualified(type($operand)) `->` qualified(type($result))
  }];
  let extraClassDeclaration = [{
    /// Of a buffer: where the part begins, in bytes.
    int64_t getByteOffset();
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TILE_VALUEOPS_TD
