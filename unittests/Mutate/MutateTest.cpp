// Mistakes made on purpose to end in every way there is: each is told for what it was, and harms
// nothing else.
#include "TestModule.h"

#include "forge/Mutate/Mutate.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <set>

using namespace forge;

static constexpr const char *kModule = R"(
  func.func @main(%p: tensor<i1>, %x: tensor<8xf32>) -> tensor<8xf32> {
    %0 = "stablehlo.if"(%p) ({
      %a = stablehlo.exponential %x : tensor<8xf32>
      stablehlo.return %a : tensor<8xf32>
    }, {
      %b = stablehlo.tanh %x : tensor<8xf32>
      stablehlo.return %b : tensor<8xf32>
    }) : (tensor<i1>) -> tensor<8xf32>
    return %0 : tensor<8xf32>
  })";

namespace {
/// Does what a test says before the function returns.
class AtReturn : public Mutator {
public:
  explicit AtReturn(std::function<void(mlir::Operation *)> change)
      : Mutator("test", "what a test does"), change(std::move(change)) {}
  unsigned sites(mlir::Operation *op) const override {
    auto function = op->getParentOfType<mlir::func::FuncOp>();
    return mlir::isa<mlir::func::ReturnOp>(op) && function && function.getName() == "main";
  }
  void plant(mlir::Operation *op, unsigned) const override { change(op); }

private:
  std::function<void(mlir::Operation *)> change;
};
} // namespace

static MutationReport run(Phase phase, const Mutator &mutator) {
  TestModule module(kModule);
  module.context.disableMultithreading();
  MutateOptions options;
  options.phases = {phase};
  options.mutators = {&mutator};
  options.timeLimit = 2;
  options.jobs = 2;
  Result<MutationReport> report = runMutants(module.get(), options);
  EXPECT_TRUE(report) << (report ? "" : report.error().message) << module.messages;
  return report ? *report : MutationReport();
}

/// The verdict on the only mutant, and its message.
static std::pair<Verdict, std::string> verdictOn(Phase phase,
                                                 std::function<void(mlir::Operation *)> change) {
  AtReturn mutator(std::move(change));
  MutationReport report = run(phase, mutator);
  EXPECT_EQ(report.mutants.size(), 1u);
  if (report.mutants.empty())
    return {Verdict::Survived, "no mutant"};
  return {report.mutants[0].verdict, report.mutants[0].detail};
}

TEST(Mutate, InvalidIRIsFoundByTheVerifier) {
  auto [verdict, detail] =
      verdictOn(Phase::Import, [](mlir::Operation *op) { op->setOperands({}); });
  EXPECT_EQ(verdict, Verdict::Verifier) << detail;
}

TEST(Mutate, WhatHasNoLoweringIsFoundByThePipeline) {
  auto [verdict, detail] = verdictOn(Phase::Import, [](mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    mlir::OperationState state(op->getLoc(), "stablehlo.custom_call");
    state.addOperands(op->getOperand(0));
    state.addTypes(op->getOperand(0).getType());
    state.addAttribute("call_target_name", builder.getStringAttr("mystery"));
    op->setOperand(0, builder.create(state)->getResult(0));
  });
  EXPECT_EQ(verdict, Verdict::Pipeline) << detail;
  EXPECT_NE(detail.find("mystery"), std::string::npos) << detail;
}

TEST(Mutate, ACrashIsContained) {
  auto [verdict, detail] = verdictOn(Phase::Lower, [](mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    mlir::LLVM::Trap::create(builder, op->getLoc());
  });
  EXPECT_EQ(verdict, Verdict::Crash) << detail;
  EXPECT_NE(detail.find("in the compiled code"), std::string::npos) << detail;
}

TEST(Mutate, ALoopWithoutEndHitsTheTimeLimit) {
  auto [verdict, detail] = verdictOn(Phase::Lower, [](mlir::Operation *op) {
    mlir::OpBuilder builder(op);
    mlir::scf::WhileOp::create(
        builder, op->getLoc(), mlir::TypeRange(), mlir::ValueRange(),
        [](mlir::OpBuilder &inner, mlir::Location location, mlir::ValueRange) {
          // Else there is nothing to be done in the loop, and it goes.
          mlir::LLVM::FenceOp::create(inner, location, mlir::LLVM::AtomicOrdering::seq_cst, "");
          mlir::Value always = mlir::arith::ConstantIntOp::create(inner, location, true, 1);
          mlir::scf::ConditionOp::create(inner, location, always, mlir::ValueRange());
        },
        [](mlir::OpBuilder &inner, mlir::Location location, mlir::ValueRange) {
          mlir::scf::YieldOp::create(inner, location);
        });
  });
  EXPECT_EQ(verdict, Verdict::TimeLimit) << detail;
}

TEST(Mutate, AWrongResultIsFoundByComparison) {
  auto [verdict, detail] = verdictOn(Phase::Import, [](mlir::Operation *op) {
    op->setOperand(0, op->getParentOfType<mlir::func::FuncOp>().getArgument(1));
  });
  EXPECT_EQ(verdict, Verdict::Comparison) << detail;
  EXPECT_EQ(detail.substr(0, 25), "uniform inputs, result 0:");
}

TEST(Mutate, NothingWrongIsTheSameCode) {
  EXPECT_EQ(verdictOn(Phase::Import, [](mlir::Operation *) {}).first, Verdict::SameCode);
}

TEST(Mutate, WhatIsNeverExecutedIsNotCounted) {
  // Stores of both branches are dropped; only one branch is taken.
  MutationReport report = run(Phase::Lower, *mutatorNamed("drop-store"));
  EXPECT_GT(report.count(Verdict::Unreached), 0u) << describe(report, true);
  EXPECT_GT(report.killed(), 0u) << describe(report, true);
  EXPECT_EQ(report.score(), 1) << describe(report, true);
}

TEST(Mutate, AWrongModuleIsNoBaseline) {
  TestModule module("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {"
                    "%0 = stablehlo.custom_call @mystery(%x) : (tensor<2xf32>) -> tensor<2xf32>"
                    "return %0 : tensor<2xf32> }");
  module.context.disableMultithreading();
  EXPECT_FALSE(runMutants(module.get(), {}));
}

TEST(Mutate, NamesAndSummariesAreUnique) {
  std::set<std::string> names, summaries;
  for (const Mutator *mutator : allMutators()) {
    EXPECT_TRUE(names.insert(mutator->name().str()).second) << mutator->name().str();
    EXPECT_TRUE(summaries.insert(mutator->summary().str()).second) << mutator->name().str();
    EXPECT_EQ(mutatorNamed(mutator->name()), mutator);
  }
  EXPECT_EQ(mutatorNamed("absent"), nullptr);
}

TEST(Mutate, SamplesTakeFromEveryPhaseAndKind) {
  TestModule module(kModule);
  MutateOptions options;
  options.phases = {Phase::Import, Phase::Linalg};
  Result<std::vector<PhaseModule>> modules = lowerToPhases(module.get(), options);
  ASSERT_TRUE(modules) << module.messages;
  size_t possible = 0;
  auto groups = [](const std::vector<Mutant> &mutants) {
    std::set<std::pair<Phase, const Mutator *>> found;
    for (const Mutant &mutant : mutants)
      found.insert({mutant.phase, mutant.mutator});
    return found;
  };
  auto all = groups(planMutants(*modules, options, possible));
  options.sample = all.size();
  std::vector<Mutant> sample = planMutants(*modules, options, possible);
  EXPECT_EQ(sample.size(), all.size());
  EXPECT_EQ(groups(sample), all);
}
