// What builders of tile programs by roles share: rings of what is copied by tensor maps, roles, and
// products of warpgroups.
#ifndef FORGE_LIB_CODEGEN_FLASHATTENTION_ROLEBUILDER_H
#define FORGE_LIB_CODEGEN_FLASHATTENTION_ROLEBUILDER_H

#include "../Attention/AttentionProgram.h"
#include "../Strategy/AxisAccess.h"

#include "forge/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace forge {

/// Memory that tiles along its last axes are copied from to buffers of rings.
struct CopiedMemory {
  mlir::Value memory;
  /// Of its dimensions.
  llvm::SmallVector<unsigned> axes;
  tile::SharedType buffer;
};

class RoleBuilder {
public:
  RoleBuilder(mlir::ImplicitLocOpBuilder &b, const AttentionProgram &program)
      : b(b), program(program) {}

  struct Ring {
    mlir::Value ring;
    llvm::SmallVector<CopiedMemory> buffers;
  };
  struct Slot {
    mlir::Value slot;
    llvm::SmallVector<mlir::Value> buffers;
  };

  /// A factor, of which a tile has `rows` along `axis`, and along `inner` what wgmma reads: all of
  /// it, padded to panels of 128 bytes.
  CopiedMemory factor(const AxisAccess &access, int64_t rows, unsigned axis, unsigned inner);
  /// A number for each of `rows` places along `axis`.
  CopiedMemory vector(const AxisAccess &access, int64_t rows, unsigned axis);

  Ring makeRing(int64_t slots, llvm::SmallVector<CopiedMemory> buffers);
  /// Copies what begins at `begin`, by axis, to the next slot; at 0 along inner axes.
  void put(const Ring &ring, llvm::ArrayRef<mlir::Value> begin);
  Slot get(const Ring &ring);
  void drop(const Slot &slot) { tile::DropOp::create(b, slot.slot); }

  /// `left`, in registers or shared memory, times `right`, plus `accumulator`.
  mlir::Value dot(mlir::Value left, mlir::Value right, bool transposedRight,
                  mlir::Value accumulator);

private:
  CopiedMemory copied(const AxisAccess &access, int64_t rows, unsigned axis,
                      std::optional<unsigned> inner);

  mlir::ImplicitLocOpBuilder &b;
  const AttentionProgram &program;
};

} // namespace forge

#endif // FORGE_LIB_CODEGEN_FLASHATTENTION_ROLEBUILDER_H
