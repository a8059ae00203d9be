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

def Tile_LimitGridOp : Tile_Op<"limit_grid"> {
  let summary = "how many blocks have work";
  let description = [{
    The grid has no more blocks along its first dimension than `count`, which follows from the kernel's arguments: those
    beyond would do nothing. Without any the kernel is not launched.

    ```mlir
    tile.limit_grid %tiles
    ```

    Constraints:
    - (C1) it is directly in a function.
  }];
  let arguments = (ins Index:$count);
  let assemblyFormat = "$count attr-dict";
  let hasVerifier = 1;
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
    - (C2) every buffer is filled by one copy, or each of its parts (`tile.slice`) by one.
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

def Tile_TurnOp : Tile_Op<"turn"> {
  let summary = "waits for the turn of a warpgroup";
  let description = [{
    The warpgroups of a role take turns, the first one first: each waits here until the one before it has come to its
    `tile.pass`. So two of them that compute the same thing on different rows use the matrix units one after the other,
    while the other one is at its exponentials. It orders time, never values: the naive form has nothing for it.

    ```mlir
    tile.turn
    %d = tile.dot wgmma<64x128x16> %a, %b, %acc : !A, !B, tensor<128x128xf32, #acc>
    tile.pass
    ```

    Constraints:
    - (C1) it is in a role of two or more warpgroups, and in no `tile.put`.
    - (C2) a `tile.pass` comes after it in its block, before another `tile.turn`.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_PassOp : Tile_Op<"pass"> {
  let summary = "hands the turn to the next warpgroup";
  let description = [{
    Of what was done since `tile.turn`, products have been issued and need not have ended.

    ```mlir
    tile.pass
    ```

    Constraints:
    - (C1) a `tile.turn` comes before it in its block, without another `tile.pass` between them.
  }];
  let assemblyFormat = "attr-dict";
  let hasVerifier = 1;
}

def Tile_StageOp : Tile_Op<"stage"> {
  let summary = "names what comes next";
  let description = [{
    In kernels that are compiled with time stamps (`--instrument`), what computes on tiles behind this is shown as `stage`. Waits for
    rings, turns and work, copies and products have names of their own. It is no instruction, and nothing without time stamps.

    ```mlir
    tile.stage "softmax"
    ```

    Constraints:
    - (C1) `stage` is not empty.
  }];
  let arguments = (ins StrAttr:$stage);
  let assemblyFormat = "$stage attr-dict";
  let hasVerifier = 1;
}

def Tile_WorkOp : Tile_Op<"work", [SingleBlockImplicitTerminator<"YieldOp">, HasParent<"RoleOp">]> {
  let summary = "a loop over the work that the block takes";
  let description = [{
    Runs the region for numbers below `count`, which the blocks of the grid share out: each begins with its own number,
    and then takes the smallest that none has. So a block that is slow takes less. All roles of a block get the same
    numbers in the same order, the first of them from `counter`: two numbers in memory, both zero before and after the
    kernel. The naive form takes every number that is the block's modulo the size of the grid. The order of the work
    must not matter.

    ```mlir
    tile.work %t below %tiles from %counter : memref<2xi32> {
      ...
    }
    ```

    Constraints:
    - (C1) a role has one at most, and the first role that has one only copies.
    - (C2) the function's grid has one dimension.
    - (C3) all in a function have the same counter, an argument, and the same count.
    - (C4) the region has one argument of i32.
  }];
  let arguments = (ins I32:$count, MemRefOf<[I32]>:$counter);
  let regions = (region SizedRegion<1>:$body);
  let extraClassDeclaration = [{
    ::mlir::BlockArgument getNumber() { return getBody().getArgument(0); }
  }];
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
}

def Tile_WhenOp : Tile_Op<"when", [DeclareOpInterfaceMethods<InferTypeOpInterface>, NoRegionArguments,
    RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "computes elements again in warps that vote for it";
  let description = [{
    Every warp votes: it runs the region where `condition` is true for any element that it holds. There, each element of
    a result is what the region yields; the elements of other warps are those of `initial`. So what is computed depends on
    the layout of `condition`, and it saves work where what the region computes may as well be left out.

    ```mlir
    %o = tile.when %moved else (%o1 : tensor<128x128xf32, #acc>) : tensor<128xi1, #row> {
      %f = tile.broadcast %factor dims [1] : tensor<128xf32, #row> -> tensor<128x128xf32, #acc>
      %scaled = arith.mulf %o1, %f : tensor<128x128xf32, #acc>
      tile.yield %scaled : tensor<128x128xf32, #acc>
    }
    ```

    Constraints:
    - (C1) there are values of `initial`, and the region yields values of their types.
    - (C2) `condition` has elements of i1.
    - (C3) all have as many warps; warps that hold the same element of `initial` hold the same elements of `condition`.
    - (C4) the region holds constants, `tile.broadcast` and elementwise operations without effects.
  }];
  let arguments = (ins Tile_Tile:$condition, Variadic<Tile_Tile>:$initial);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = "$condition `else` ` ` `(` $initial `:` type($initial) `)` attr-dict `:` type($condition) $body";
  let hasVerifier = 1;
}

def Tile_SplitOp
    : Tile_Op<"split", [RecursiveMemoryEffects, SingleBlockImplicitTerminator<"YieldOp">]> {
  let summary = "parts of a computation by several blocks";
  let description = [{
    Runs the first region for each part from 0 to `count` - 1. Its values are combined in this order by the second
    region, whose arguments are the values so far and those of the next part. Where the chip has clusters of `count`
    blocks, each block of a cluster runs one part, and the first one combines them and runs what comes after; otherwise
    one block runs all parts.

    ```mlir
    %sum = tile.split of 4 : tensor<16x128xf32, #acc> {
    ^bb0(%part: index):
      ...
      tile.yield %x : tensor<16x128xf32, #acc>
    } combine {
    ^bb0(%a: tensor<16x128xf32, #acc>, %b: tensor<16x128xf32, #acc>):
      %c = arith.addf %a, %b : tensor<16x128xf32, #acc>
      tile.yield %c : tensor<16x128xf32, #acc>
    }
    ```

    Constraints:
    - (C1) it is directly in a function, which has no role and no other one, and a grid of one dimension.
    - (C2) `count` is a power of two.
    - (C3) the first region has one argument of index and yields the results' types; the second one has them twice as
      arguments, and yields them.
    - (C4) results have elements of f32.
    - (C5) nothing in it stores to memory other than shared buffers, and nothing before it stores at all.
  }];
  let arguments = (ins I64Attr:$count);
  let results = (outs Variadic<Tile_Tile>:$results);
  let regions = (region SizedRegion<1>:$body, SizedRegion<1>:$combine);
  let assemblyFormat =
      "`of` $count `:` type($results) attr-dict-with-keyword $body `combine` $combine";
  let hasVerifier = 1;
}

def Tile_YieldOp
    : Tile_Op<"yield", [Pure, Terminator,
                        ParentOneOf<["PutOp", "RoleOp", "SplitOp", "WhenOp", "WorkOp"]>]> {
  let summary = "ends a region";
  let description = [{
    ```mlir
    tile.yield
    ```

    Constraints:
    - (C1) it has operands in a `tile.split` or `tile.when` only.
  }];
  let arguments = (ins Variadic<Tile_Tile>:$values);
  let assemblyFormat = "($values^ `:` type($values))? attr-dict";
  let builders = [OpBuilder<(ins), [{ }]>];
  let hasVerifier = 1;
}

#endif // FORGE_DIALECT_TILE_PROGRAMOPS_TD
