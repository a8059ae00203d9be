// Vectors of bf16 in memory whose length is not a power of two.
#include "forge/Target/CPU/CodeGen.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

/// For a vector of bf16 whose length is not a power of two, that of its bits; otherwise null.
static Type *bitsType(Type *type) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  if (!vector || !vector->getElementType()->isBFloatTy() || isPowerOf2_32(vector->getNumElements()))
    return nullptr;
  return VectorType::getInteger(vector);
}

/// The bits of `value`, a vector of bf16 or one.
static Value *bitsOf(IRBuilder<> &builder, Value *value) {
  Type *bits = builder.getInt16Ty();
  if (auto *vector = dyn_cast<VectorType>(value->getType()))
    bits = VectorType::getInteger(vector);
  if (auto *cast = dyn_cast<BitCastInst>(value); cast && cast->getSrcTy() == bits)
    return cast->getOperand(0);
  return builder.CreateBitCast(value, bits);
}

/// What `instruction` computes, on bits; null for other instructions.
static Value *onBits(IRBuilder<> &builder, Instruction &instruction) {
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    Type *type = bitsType(load->getType());
    if (!type || !load->isSimple())
      return nullptr;
    LoadInst *bits = builder.CreateAlignedLoad(type, load->getPointerOperand(), load->getAlign());
    bits->setAAMetadata(load->getAAMetadata());
    return bits;
  }
  if (auto *shuffle = dyn_cast<ShuffleVectorInst>(&instruction)) {
    if (!bitsType(shuffle->getOperand(0)->getType()) && !bitsType(shuffle->getType()))
      return nullptr;
    return builder.CreateShuffleVector(bitsOf(builder, shuffle->getOperand(0)),
                                       bitsOf(builder, shuffle->getOperand(1)),
                                       shuffle->getShuffleMask());
  }
  if (auto *extract = dyn_cast<ExtractElementInst>(&instruction)) {
    if (!bitsType(extract->getVectorOperandType()))
      return nullptr;
    return builder.CreateExtractElement(bitsOf(builder, extract->getVectorOperand()),
                                        extract->getIndexOperand());
  }
  if (auto *insert = dyn_cast<InsertElementInst>(&instruction)) {
    if (!bitsType(insert->getType()))
      return nullptr;
    return builder.CreateInsertElement(bitsOf(builder, insert->getOperand(0)),
                                       bitsOf(builder, insert->getOperand(1)),
                                       insert->getOperand(2));
  }
  return nullptr;
}

void forge::moveVectorsAsBits(Module &module) {
  for (Function &function : module) {
    SmallVector<Instruction *> replaced;
    for (BasicBlock &block : function)
      for (Instruction &instruction : block) {
        IRBuilder<> builder(&instruction);
        if (auto *store = dyn_cast<StoreInst>(&instruction)) {
          if (bitsType(store->getValueOperand()->getType()) && store->isSimple())
            store->setOperand(0, bitsOf(builder, store->getValueOperand()));
          continue;
        }
        if (Value *bits = onBits(builder, instruction)) {
          instruction.replaceAllUsesWith(builder.CreateBitCast(bits, instruction.getType()));
          replaced.push_back(&instruction);
        }
      }
    for (Instruction *instruction : reverse(replaced))
      instruction->eraseFromParent();
  }
}
