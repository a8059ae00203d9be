// Vectors of bf16 whose length is not a power of two reach code generation as vectors of i16.
#include "forge/Target/CPU/CodeGen.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"

#include <gtest/gtest.h>

using namespace forge;

static std::unique_ptr<llvm::Module> parse(llvm::LLVMContext &context, llvm::StringRef text) {
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
  EXPECT_TRUE(module) << error.getMessage().str();
  return module;
}

/// Loads, rearranges, changes and stores vectors of `length`.
static std::string moves(unsigned length) {
  std::string n = std::to_string(length), vector = "<" + n + " x bfloat>";
  return "define bfloat @moves(ptr %p, ptr %q) {\n"
         "  %v = load " +
         vector +
         ", ptr %p, align 2\n"
         "  %s = shufflevector " +
         vector + " %v, " + vector + " poison, <4 x i32> <i32 0, i32 1, i32 poison, i32 " +
         std::to_string(length - 1) +
         ">\n"
         "  %e = fpext <4 x bfloat> %s to <4 x float>\n"
         "  store <4 x float> %e, ptr %q, align 4\n"
         "  %i = insertelement " +
         vector +
         " %v, bfloat 1.0, i32 1\n"
         "  store " +
         vector +
         " %i, ptr %p, align 2\n"
         "  %x = extractelement " +
         vector +
         " %i, i32 0\n"
         "  ret bfloat %x\n"
         "}\n";
}

static bool usesVector(const llvm::Module &module, unsigned length) {
  auto isVector = [&](const llvm::Value *value) {
    auto *type = llvm::dyn_cast<llvm::FixedVectorType>(value->getType());
    return type && type->getElementType()->isBFloatTy() && type->getNumElements() == length;
  };
  for (const llvm::Function &function : module)
    for (const llvm::Instruction &instruction : llvm::instructions(function))
      if (!llvm::isa<llvm::BitCastInst>(instruction) &&
          (isVector(&instruction) || llvm::any_of(instruction.operands(), isVector)))
        return true;
  return false;
}

TEST(BitsOfVectors, OddLengths) {
  for (unsigned length : {9, 17, 33, 12}) {
    llvm::LLVMContext context;
    std::unique_ptr<llvm::Module> module = parse(context, moves(length));
    ASSERT_TRUE(usesVector(*module, length));
    moveVectorsAsBits(*module);
    EXPECT_FALSE(usesVector(*module, length)) << length;
    EXPECT_FALSE(llvm::verifyModule(*module, &llvm::errs()));
  }
}

TEST(BitsOfVectors, PowersOfTwoStay) {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, moves(16));
  moveVectorsAsBits(*module);
  EXPECT_TRUE(usesVector(*module, 16));
}

TEST(BitsOfVectors, CodeForThisProcessor) {
  auto machine = createHostMachine(Effort::Full);
  ASSERT_TRUE(machine) << machine.error().message;
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = parse(context, moves(17));
  module->setDataLayout((*machine)->createDataLayout());
  module->setTargetTriple((*machine)->getTargetTriple());
  optimize(*module, **machine, Effort::Full);
  EXPECT_TRUE(emitObject(*module, **machine));
}
