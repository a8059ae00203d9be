#include "ExplainPage.h"

#include "ExplainPageFiles.inc"

#include "forge/Kernels/Kernel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringRef.h"

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

/// Launches whose results `value` is made of without another launch.
static void collectSources(mlir::Value value,
                           const llvm::DenseMap<mlir::Operation *, size_t> &known,
                           llvm::SmallPtrSetImpl<mlir::Operation *> &seen,
                           llvm::SetVector<size_t> &sources) {
  mlir::Operation *op = value.getDefiningOp();
  if (!op || !seen.insert(op).second)
    return;
  if (auto launch = known.find(op); launch != known.end()) {
    sources.insert(launch->second);
    return;
  }
  for (mlir::Value operand : op->getOperands())
    collectSources(operand, known, seen, sources);
}

Json tool::launchesOf(mlir::ModuleOp module, const std::vector<std::string> &names) {
  Json launches = Json::array();
  llvm::DenseMap<mlir::Operation *, size_t> known;
  module.walk<mlir::WalkOrder::PreOrder>([&](mlir::func::CallOp call) {
    auto name = llvm::find(names, call.getCallee().str());
    if (name == names.end())
      return;
    llvm::SetVector<size_t> sources;
    llvm::SmallPtrSet<mlir::Operation *, 16> seen;
    for (mlir::Value operand : call.getOperands())
      collectSources(operand, known, seen, sources);
    int64_t depth = 0;
    for (auto loop = call->getParentOfType<mlir::LoopLikeOpInterface>(); loop;
         loop = loop->getParentOfType<mlir::LoopLikeOpInterface>())
      ++depth;
    known.try_emplace(call, launches.size());
    launches.push_back({{"kernel", name - names.begin()},
                        {"depth", depth},
                        {"after", std::vector<size_t>(sources.begin(), sources.end())}});
  });
  return launches;
}

/// Lines of a kernel that a page has at most.
static constexpr size_t kMostLines = 1500;

static std::string cutText(const std::string &text) {
  llvm::StringRef rest = text;
  for (size_t line = 0; line < kMostLines && !rest.empty(); ++line)
    rest = rest.split('\n').second;
  if (rest.empty())
    return text;
  return text.substr(0, text.size() - rest.size()) + "... " + std::to_string(rest.count('\n') + 1) +
         " more lines\n";
}

std::map<std::string, std::string> tool::kernelTexts(mlir::ModuleOp module) {
  std::map<std::string, std::string> texts;
  module.walk([&](mlir::FunctionOpInterface function) {
    if (function.isExternal())
      return;
    std::string text;
    llvm::raw_string_ostream os(text);
    function->print(os, mlir::OpPrintingFlags().useLocalScope());
    os << "\n";
    texts.emplace(function.getName().str(), cutText(text));
  });
  return texts;
}

static void replace(std::string &text, llvm::StringRef mark, const std::string &value) {
  size_t at = text.find(mark);
  text.replace(at, mark.size(), value);
}

std::string tool::explainPage(const Json &data) {
  std::string json = data.dump(-1, ' ', false, Json::error_handler_t::replace);
  std::string escaped;
  for (char c : json)
    if (c == '<')
      escaped += "\\u003c";
    else
      escaped += c;
  std::string page = page_html;
  // The data last: it may hold what looks like a mark.
  replace(page, "{{STYLE}}", page_css);
  replace(page, "{{SCRIPT}}", page_js);
  replace(page, "{{DATA}}", escaped);
  return page;
}
