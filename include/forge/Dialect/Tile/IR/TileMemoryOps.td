// Operations of the tile dialect that access memory.
#ifndef FORGE_DIALECT_TILE_MEMORYOPS_TD
#define FORGE_DIALECT_TILE_MEMORYOPS_TD

include "forge/Dialect/Tile/IR/TileBase.td"

def Tile_LoadOp : Tile_Op<"load", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "memory to a tile";
  let description = [{
    The tile's element at (x, y, ...) is the memory's at the indices plus x along the first dimension of `dims`, y along
    the second, and so on; `dims` are the memory's last dimensions where they are left out. `dims [1, 0]` of a matrix is
    its transpose. With `limits`, one for each
    dimension of the tile, elements at or beyond them are not read: they are `fill`, or zero. A limit is an index of
    the memory's dimension. `align` is a promise in bytes, which the simulator checks: the first element of each
    contiguous run of registers is at a multiple of it. In a layout of matrices of 8 x 8, as the factors of `mma` have it,
    16 says so of each eight neighbours in shared memory, which `ldmatrix` loads at once.

    ```mlir
    %x = tile.load %in[%row, %c0] dims [1] limits(%n) fill %lowest : f32 {align = 16}
      : memref<64x1000xf32> -> tensor<1024xf32, #row>
    ```

    Constraints:
    - (C1) there is an index for each dimension of the memory.
    - (C2) `dims` are different dimensions of the memory, one for each of the tile's.
    - (C3) element types agree, that of `fill` too.
    - (C4) the number of limits is 0 or the rank of the tile.
    - (C5) `align` is a power of two, of one element or more.
    - (C6) the tile has a layout.
  }];
  let arguments = (ins Tile_Memory:$source, Variadic<Index>:$indices, OptionalAttr<DenseI64ArrayAttr>:$dims,
                       Variadic<Index>:$limits, Optional<AnyType>:$fill, OptionalAttr<I64Attr>:$align);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` (`dims` $dims^)? (`limits` `(` $limits^ `)`)? (`fill` $fill^ `:` type($fill))?
    attr-dict `:` qualified(type($source)) `->` qualified(type($result))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = "::llvm::SmallVector<int64_t> getMemoryDims();";
}

def Tile_StoreOp : Tile_Op<"store", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "a tile to memory";
  let description = [{
    The reverse of `tile.load`; elements at or beyond `limits` are not written. Of threads that hold equal elements one
    writes.

    ```mlir
    tile.store %y, %out[%row, %c0] dims [1] limits(%n) {align = 16} : tensor<1024xf32, #row>, memref<64x1000xf32>
    ```

    Constraints:
    - (C1) there is an index for each dimension of the memory.
    - (C2) `dims` are different dimensions of the memory, one for each of the tile's.
    - (C3) element types agree.
    - (C4) the number of limits is 0 or the rank of the tile.
    - (C5) `align` is a power of two, of one element or more.
    - (C6) the tile has a layout.
  }];
  let arguments = (ins Tile_Tile:$value, Tile_Memory:$target, Variadic<Index>:$indices,
                       OptionalAttr<DenseI64ArrayAttr>:$dims, Variadic<Index>:$limits, OptionalAttr<I64Attr>:$align);
  let assemblyFormat = [{
    $value `,` $target `[` $indices `]` (`dims` $dims^)? (`limits` `(` $limits^ `)`)? attr-dict
    `:` type($value) `,` qualified(type($target))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = "::llvm::SmallVector<int64_t> getMemoryDims();";
}

def Tile_CopyOp : Tile_Op<"copy", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "global to shared memory, asynchronously";
  let description = [{
    Fills a buffer of the slot that the `tile.put` around it fills: its element at (x, y, ...) is the memory's at the
    indices plus x along the first dimension of `dims`, and so on. What is outside of the memory is zero, also where an
    index is negative. By `tma` one thread of the role says what is copied, from a last index at a multiple of 16 bytes; by `cp_async` all its threads copy a part each, and the role reads the ring
    itself. `align` is a promise in bytes, as in `tile.load`, of 4, 8 or 16; by `cp_async` it is an access.

    ```mlir
    tile.copy %x[%m, %e, %k] dims [0, 2] to %a by tma : memref<512x8x64xbf16> to !tile.shared<128x64xbf16, sw128>
    tile.copy %x[%m, %k] to %a by cp_async {align = 16} : memref<512x64xbf16> to !tile.shared<128x64xbf16, sw128>
    ```

    Constraints:
    - (C1) there is an index for each dimension of the memory.
    - (C2) `dims` are dimensions of the memory, ascending, one for each of the buffer's.
    - (C3) element types agree.
    - (C4) it is directly in a `tile.put`, and fills one of its buffers, or a part of it, as it is or by `tile.reshape`.
    - (C5) by `cp_async` there is an `align` of 4, 8 or 16, a multiple of the element's bytes.
  }];
  let arguments = (ins AnyMemRef:$source, Variadic<Index>:$indices, OptionalAttr<DenseI64ArrayAttr>:$dims,
                       Tile_Shared:$target, Tile_CopyEngine:$engine, OptionalAttr<I64Attr>:$align);
  let assemblyFormat = [{
    $source `[` $indices `]` (`dims` $dims^)? `to` $target `by` $engine attr-dict
    `:` qualified(type($source)) `to` qualified(type($target))
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = "::llvm::SmallVector<int64_t> getMemoryDims();";
}

def Tile_GatherOp : Tile_Op<"gather", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "elements of memory, each from its own place";
  let description = [{
    Each element is loaded from where its elements of the tiles of indices say; an index may be the same for all.
    Every place is inside the memory.

    ```mlir
    %x = tile.gather %table[%ids, %c0] : memref<512x64xf32>, tensor<128xindex, #row>, index -> tensor<128xf32, #row>
    ```

    Constraints:
    - (C1) there is an index for each dimension of the memory.
    - (C2) tiles of indices have the result's shape and layout.
    - (C3) element types agree.
    - (C4) the result has a layout.
  }];
  let arguments = (ins AnyMemRef:$source, Variadic<AnyTypeOf<[Index, Tile_Tile]>>:$indices);
  let results = (outs Tile_Tile:$result);
  let assemblyFormat = [{
    $source `[` $indices `]` attr-dict `:` qualified(type($source)) (`,` type($indices)^)? `->` qualified(type($result))
  }];
  let hasVerifier = 1;
}

def Tile_ScatterOp : Tile_Op<"scatter", [AttrSizedOperandSegments, DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let summary = "elements to memory, each to its own place";
  let description = [{
    The reverse of `tile.gather`; with a mask only elements where it is true are stored. Every place of an element that is
    stored is inside the memory, and no two elements have the same one. Of threads that hold equal elements one stores.

    ```mlir
    tile.scatter %y, %cache[%c0, %at] where %has : tensor<128xi1, #row>
      : tensor<128xf32, #row>, memref<8x512xf32>, index, tensor<128xindex, #row>
    ```

    Constraints:
    - (C1) there is an index for each dimension of the memory.
    - (C2) tiles of indices have the value's shape and layout.
    - (C3) element types agree.
    - (C4) the value has a layout.
    - (C5) the mask has elements of i1, and the value's shape and layout.
  }];
  let arguments = (ins Tile_Tile:$value, AnyMemRef:$target, Variadic<AnyTypeOf<[Index, Tile_Tile]>>:$indices,
                       Optional<Tile_Tile>:$mask);
  let assemblyFormat = [{
    $value `,` $target `[` $indices `]` (`where` $mask^ `:` type($mask))? attr-dict
    `:` type($value) `,` qualified(type($target)) (`,` type($indices)^)?
  }];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TILE_MEMORYOPS_TD
