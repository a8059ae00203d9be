#include "forge/Import/OpCensus.h"

using namespace forge;

/// What structures a module, instead of computing something.
static bool isStructure(llvm::StringRef name) {
  return name == "builtin.module" || name == "func.func" || name.ends_with(".return");
}

static std::string nameOf(mlir::Operation *op) {
  std::string name = op->getName().getStringRef().str();
  if (auto target = op->getAttrOfType<mlir::StringAttr>("call_target_name"))
    return name + " @" + target.str();
  return name;
}

OpCensus forge::countOps(mlir::ModuleOp module) {
  OpCensus census;
  module->walk([&](mlir::Operation *op) {
    if (!isStructure(op->getName().getStringRef()))
      ++census[nameOf(op)];
  });
  return census;
}

static bool isNameChar(char c) { return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$'; }

/// The operation a line starts with, after its results and "="; "" when it starts with something
/// else.
static llvm::StringRef statementName(llvm::StringRef line) {
  line = line.ltrim();
  if (line.starts_with("%")) {
    size_t equals = line.find(" = ");
    if (equals == llvm::StringRef::npos)
      return "";
    line = line.drop_front(equals + 3);
  }
  line.consume_front("\"");
  llvm::StringRef name = line.take_while(isNameChar);
  if (name == "call")
    return "func.call";
  auto [dialect, op] = name.split('.');
  return dialect.empty() || op.empty() || !llvm::isAlpha(dialect.front()) ? "" : name;
}

/// " @target" behind a custom_call in pretty form.
static std::string customCallTarget(llvm::StringRef line) {
  size_t at = line.find('@');
  if (at == llvm::StringRef::npos)
    return "";
  return " @" + line.drop_front(at + 1).take_while(isNameChar).str();
}

OpCensus forge::countOpsInText(llvm::StringRef text) {
  OpCensus census;
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    llvm::StringRef name = statementName(line);
    if (name.empty() || isStructure(name))
      continue;
    bool isCustomCall = name == "stablehlo.custom_call";
    ++census[name.str() + (isCustomCall ? customCallTarget(line) : "")];
  }
  return census;
}

bool forge::isKnownOp(llvm::StringRef name, mlir::MLIRContext *context) {
  llvm::StringRef opName = name.split(' ').first;
  context->getOrLoadDialect(opName.split('.').first);
  return mlir::RegisteredOperationName::lookup(opName, context).has_value();
}
