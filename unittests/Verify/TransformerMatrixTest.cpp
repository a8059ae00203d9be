// Every operation of the transformer dialect against the reference: every element type, sizes that
// divide no tile, static and dynamic. The rows: TransformerRows.h.
#include "TestModule.h"
#include "TransformerRows.h"

#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Execution/Executable.h"
#include "forge/Verify/Verify.h"

#include <cstdlib>
#include <map>
#include <set>

using namespace forge;

namespace {
/// "name: type" of an argument, or a result.
struct Slot {
  std::string name;
  std::string type;
};
} // namespace

static std::string trimmed(llvm::StringRef text) { return text.trim().str(); }

/// "MxNxE" as "tensor<7x13xbf16>".
static std::string typeText(llvm::StringRef shape, llvm::StringRef element, bool dynamic) {
  static const std::map<std::string, int> sizes = {
      {"B", 2}, {"G", 2}, {"H", 6}, {"M", 7}, {"N", 13}, {"K", 37}, {"S", 5}, {"T", 11}, {"V", 17}};
  llvm::SmallVector<llvm::StringRef> parts;
  shape.split(parts, 'x');
  std::string text = "tensor<";
  for (auto [i, part] : llvm::enumerate(parts)) {
    std::string name = trimmed(part);
    if (auto size = sizes.find(name); size != sizes.end())
      text += dynamic && name != "G" && name != "H" ? "?" : std::to_string(size->second);
    else
      text += name == "E" ? element.str() : name;
    text += i + 1 < parts.size() ? "x" : ">";
  }
  return text;
}

static std::vector<Slot> slots(llvm::StringRef list, llvm::StringRef element, bool dynamic) {
  std::vector<Slot> result;
  llvm::SmallVector<llvm::StringRef> parts;
  list.split(parts, ',');
  for (llvm::StringRef part : parts) {
    auto [name, shape] = part.contains(':') ? part.split(':') : std::pair("", part);
    result.push_back({trimmed(name), typeText(shape, element, dynamic)});
  }
  return result;
}

static void replaceAll(std::string &text, const std::string &from, const std::string &to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

static std::string join(const std::vector<Slot> &slots, bool named) {
  std::string text;
  for (const Slot &slot : slots)
    text += (text.empty() ? "" : ", ") + (named ? "%" + slot.name + ": " : "") + slot.type;
  return text;
}

/// The module of one row for one element type.
static std::string moduleText(const TransformerRow &row, llvm::StringRef element, bool dynamic) {
  auto [left, right] = llvm::StringRef(row.signature).split("->");
  std::vector<Slot> arguments = slots(left, element, dynamic),
                    results = slots(right, element, dynamic);
  std::string types = join(results, false);
  std::string listed = results.size() == 1 ? types : "(" + types + ")";
  std::string code = row.code;
  replaceAll(code, "$F", "(" + join(arguments, false) + ") -> " + listed);
  replaceAll(code, "$R", results[0].type);
  for (const Slot &argument : arguments)
    replaceAll(code, "$" + argument.name, argument.type);
  std::string names;
  for (size_t i = 0; i < results.size(); ++i)
    names += (i ? ", %result#" : "%result#") + std::to_string(i);
  return "func.func @main(" + join(arguments, true) + ") -> (" + types +
         ") {\n  %result:" + std::to_string(results.size()) + " = " + code + "\n  return " + names +
         " : " + types + "\n}\n";
}

/// What computes nothing by itself.
static bool isPartOfAnother(mlir::RegisteredOperationName name) {
  return name.hasTrait<mlir::OpTrait::IsTerminator>();
}

static std::set<std::string> registeredOps() {
  mlir::DialectRegistry registry;
  registry.insert<transformer::TransformerDialect>();
  mlir::MLIRContext context(registry);
  context.loadAllAvailableDialects();
  std::set<std::string> names;
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    if (name.getDialectNamespace() == "transformer" && !isPartOfAnother(name))
      names.insert(name.stripDialect().str());
  return names;
}

TEST(TransformerMatrix, EveryOperationHasARow) {
  std::set<std::string> rows, ops = registeredOps();
  for (const TransformerRow &row : kTransformerRows) {
    rows.insert(row.op);
    EXPECT_TRUE(ops.count(row.op)) << "unittests/Verify/TransformerRows.h has a row for '" << row.op
                                   << "', which is no operation of the dialect";
  }
  for (const std::string &op : ops)
    EXPECT_TRUE(rows.count(op)) << "transformer." << op << " is verified nowhere: add a line to "
                                << "unittests/Verify/TransformerRows.h, for example\n  {\"" << op
                                << "\", \"x: MxKxE -> MxKxE\", \"transformer." << op
                                << " %x : $x\"},";
}

class TransformerMatrix : public testing::TestWithParam<size_t> {};

/// "cuda" on a machine that has a GPU.
static std::string targetUnderTest() {
  const char *target = std::getenv("FORGE_TEST_TARGET");
  return target ? target : CompileOptions().target;
}

/// One row for one element type, compiled once and run on inputs of each distribution.
static void expectAgreement(const TransformerRow &row, llvm::StringRef element, bool dynamic,
                            llvm::ArrayRef<Distribution> distributions) {
  std::string text = moduleText(row, element, dynamic);
  TestModule module(text);
  ASSERT_TRUE(module.get() && module.messages.empty()) << module.messages << text;
  CompileOptions compileOptions;
  compileOptions.target = targetUnderTest();
  if (const char *tier = std::getenv("FORGE_TEST_TIER"))
    compileOptions.tier = *parseTier(tier);
  mlir::OwningOpRef<mlir::ModuleOp> clone = module.get().clone();
  Result<Executable> executable = Executable::compile(*clone, compileOptions);
  ASSERT_TRUE(executable) << executable.error().message << module.messages << text;
  VerifyOptions options;
  options.seed = 7;
  options.target = compileOptions.target;
  options.dynamicSize = 7; // of every size that is open
  options.executor = [&](mlir::ModuleOp, llvm::StringRef, llvm::StringRef,
                         const std::vector<HostTensor> &inputs) -> Result<std::vector<HostTensor>> {
    Result<RunResult> run = executable->run(inputs);
    if (!run)
      return run.error();
    if (!run->failedChecks.empty())
      return Error{run->failedChecks.front()};
    return std::move(run->results);
  };
  for (Distribution distribution : distributions) {
    options.distribution = distribution;
    auto report = verify(module.get(), options);
    ASSERT_TRUE(succeeded(report)) << module.messages << text;
    EXPECT_TRUE(report->agree()) << "distribution " << static_cast<int>(distribution) << ": "
                                 << describe(*report) << module.messages << text;
    // Agreement says something only where something was computed.
    EXPECT_FALSE(report->stages.back().results.empty()) << text;
  }
}

TEST_P(TransformerMatrix, Agrees) {
  const TransformerRow &row = kTransformerRows[GetParam()];
  llvm::SmallVector<llvm::StringRef> types;
  llvm::StringRef(row.types).split(types, ' ');
  // Every pair of type and distribution on the CPU; a simulated chip, which takes many times as long,
  // sees every type and every distribution.
  bool allPairs = !llvm::StringRef(targetUnderTest()).starts_with("sim:");
  for (auto [number, element] : llvm::enumerate(types)) {
    llvm::SmallVector<Distribution> distributions;
    for (auto [i, distribution] : llvm::enumerate(allDistributions()))
      if (allPairs || i % types.size() == number)
        distributions.push_back(distribution.second);
    expectAgreement(row, element, false, distributions);
  }
  expectAgreement(row, types.front(), true, {Distribution::Uniform, Distribution::Large});
  if (types.size() > 2)
    expectAgreement(row, types[2], true, {Distribution::Uniform, Distribution::Large});
}

INSTANTIATE_TEST_SUITE_P(Rows, TransformerMatrix,
                         testing::Range<size_t>(0, std::size(kTransformerRows)),
                         [](const auto &info) {
                           return std::string(kTransformerRows[info.param].op) + "_" +
                                  std::to_string(info.param);
                         });
