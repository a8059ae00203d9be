#include "forge/Diagnostics/ErrorContext.h"

#include "forge/Diagnostics/Location.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace forge;

static constexpr llvm::StringLiteral kDetails = "forge.error_details";

/// The fields that are metadata, by name.
static std::array<std::pair<StringRef, std::string ErrorDetails::*>, 5> fields() {
  return {{{"stage", &ErrorDetails::stage},
           {"kernel", &ErrorDetails::kernel},
           {"shape", &ErrorDetails::shape},
           {"schedule", &ErrorDetails::schedule},
           {"advice", &ErrorDetails::advice}}};
}

void forge::addErrorDetails(Diagnostic &diagnostic, const ErrorDetails &details) {
  MLIRContext *context = diagnostic.getLocation().getContext();
  NamedAttrList entries;
  for (auto [name, field] : fields())
    if (!(details.*field).empty())
      entries.set(name, StringAttr::get(context, details.*field));
  if (entries.empty())
    return;
  NamedAttrList named;
  named.set(kDetails, entries.getDictionary(context));
  diagnostic.getMetadata().push_back(DiagnosticArgument(named.getDictionary(context)));
}

ErrorDetails forge::errorDetailsOf(Diagnostic &diagnostic) {
  ErrorDetails details;
  details.location = locationString(diagnostic.getLocation());
  for (DiagnosticArgument &argument : diagnostic.getMetadata()) {
    if (argument.getKind() != DiagnosticArgument::DiagnosticArgumentKind::Attribute)
      continue;
    auto named = dyn_cast<DictionaryAttr>(argument.getAsAttribute());
    auto entries = named ? named.getAs<DictionaryAttr>(kDetails) : DictionaryAttr();
    if (!entries)
      continue;
    for (auto [name, field] : fields())
      if (auto value = entries.getAs<StringAttr>(name); value && (details.*field).empty())
        details.*field = value.str();
  }
  return details;
}

template <typename T> static std::string printed(const T &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

ErrorDetails forge::detailsOf(Operation *op) {
  ErrorDetails details;
  Attribute schedule = op->getDiscardableAttr("forge.schedule");
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!schedule && !(function && op->hasAttr("forge.kernel")))
    return details;
  if (schedule)
    details.schedule = printed(schedule);
  if (function) {
    details.kernel = function.getName().str();
    details.shape = printed(function.getFunctionType());
    return details;
  }
  details.kernel = op->getName().getStringRef().str();
  llvm::raw_string_ostream shape(details.shape);
  llvm::interleaveComma(op->getOperandTypes(), shape);
  return details;
}
