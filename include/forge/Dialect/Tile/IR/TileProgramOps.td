// Operations of the tile dialect that say who computes what: buffers, channels and roles.
#ifndef FORGE_DIALECT_TILE_PROGRAMOPS_TD
#define FORGE_DIALECT_TILE_PROGRAMOPS_TD

include "forge/Dialect/Tile/IR/TileBase.td"

def Tile_AllocOp : Tile_Op<"alloc", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a shared buffer of the block";
  let description = [{
    At the top of the function: its content is undefined until it is stored.

    ```mlir
    %scratch = tile.alloc : !tile.shared<64x64xf32, pad 16>
    ```
  }];
  let results = (outs Tile_Shared:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Tile_RingOp : Tile_Op<"ring", [MemoryEffects<[MemAlloc]>]> {
  let summary = "a channel between roles";
  let description = [{
    At the top of the function: all slots are empty.

    ```mlir
    %ring = tile.ring : !tile.ring<4, !A, !B>
    ```
  }];
  let results = (outs Tile_Ring:$result);
  let assemblyFormat = "attr-dict `:` qualified(type($result))";
}

def Tile_PutOp : Tile_Op<"put", [SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "fills the next slot of a ring";
  let description = [{
    Waits until the next slot is empty, and runs the region, whose arguments are the slot's buffers. The slot is full
    once all copies of the region have ended.

    ```mlir
    tile.put %ring : !tile.ring<4, !A> {
    ^bb0(%a: !A):
      tile.copy %x[%m, %k] to %a by tma : memref<4096x4096xbf16> to !A
    }
    ```

    Constraints:
    - (C1) the region's arguments are the ring's buffers.
    - (C2) every buffer is filled by one copy.
  }];
  let arguments = (ins Tile_Ring:$ring);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$ring attr-dict `:` qualified(type($ring)) $body";
  let hasVerifier = 1;
}

def Tile_GetOp : Tile_Op<"get"> {
  let summary = "waits for the next full slot of a ring";
  let description = [{
    Its buffers may be read until the slot is dropped. Every instance of a role that reads a ring gets every slot.

    ```mlir
    %slot, %a, %b = tile.get %ring : !tile.ring<4, !A, !B>
    ```
  }];
  let arguments = (ins Tile_Ring:$ring);
  let results = (outs Tile_Slot:$slot, Variadic<Tile_Shared>:$buffers);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_DropOp : Tile_Op<"drop"> {
  let summary = "gives a slot back";
  let description = [{
    Waits until all products that read the slot have ended. Each slot is dropped exactly once.

    ```mlir
    tile.drop %slot
    ```
  }];
  let arguments = (ins Tile_Slot:$slot);
  let assemblyFormat = "$slot attr-dict";
}

def Tile_RoleOp : Tile_Op<"role", [SingleBlockImplicitTerminator<"YieldOp">, NoRegionArguments]> {
  let summary = "a part of a block that runs concurrently with the others";
  let description = [{
    The region is run by `warps` warps of its own, which get `registers` registers a thread where that is given. It uses
    scalars and memory from outside, never tiles.

    ```mlir
    tile.role @copy warps = 4 registers = 40 {
      ...
    }
    ```

    Constraints:
    - (C1) it is directly in a function.
    - (C2) `warps` is a power of two; with `registers`, a multiple of 4.
    - (C3) `registers` is a multiple of 8 from 24 to 256.
    - (C4) no tile from outside is used.
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, I64Attr:$warps, OptionalAttr<I64Attr>:$registers);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$sym_name `warps` `=` $warps (`registers` `=` $registers^)? attr-dict-with-keyword $body";
  let hasVerifier = 1;
}

def Tile_YieldOp : Tile_Op<"yield", [Pure, Terminator, ParentOneOf<["PutOp", "RoleOp"]>]> {
  let summary = "ends a region";
  let description = [{
    ```mlir
    tile.yield
    ```
  }];
  let assemblyFormat = "attr-dict";
}

#endif // FORGE_DIALECT_TILE_PROGRAMOPS_TD
