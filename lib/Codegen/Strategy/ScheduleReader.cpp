#include "ScheduleReader.h"

#include "forge/Codegen/Schedule.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace forge;

InFlightDiagnostic forge::emitScheduleError(Operation *op, const Twine &message) {
  return emitUserError(op->getLoc()) << message;
}

ScheduleReader::ScheduleReader(Operation *op, StringRef name) : op(op), name(name) {
  Attribute attribute = op->getDiscardableAttr(name);
  entries = dyn_cast_or_null<DictionaryAttr>(attribute);
  if (entries)
    return;
  emitScheduleError(op) << "expected a dictionary as " << name << ", but got " << attribute;
  failed = true;
}

template <typename Attr> Attr ScheduleReader::read(StringRef key, StringRef expected) {
  known.push_back(key);
  if (failed)
    return Attr();
  Attribute value = entries.get(key);
  if (auto wanted = dyn_cast_or_null<Attr>(value))
    return wanted;
  failed = true;
  InFlightDiagnostic error = emitScheduleError(op);
  error << "expected " << expected << " as '" << key << "' of " << name << ", but got ";
  value ? error << value : error << "none";
  return Attr();
}

std::string ScheduleReader::text(StringRef key) {
  auto value = read<StringAttr>(key, "a string");
  return value ? value.str() : "";
}

bool ScheduleReader::truth(StringRef key) {
  auto value = read<BoolAttr>(key, "a bool");
  return value && value.getValue();
}

int64_t ScheduleReader::number(StringRef key) {
  auto value = read<IntegerAttr>(key, "an i64");
  if (value && value.getType().isSignlessInteger(64))
    return value.getInt();
  if (value && !failed)
    emitScheduleError(op) << "expected an i64 as '" << key << "' of " << name << ", but got "
                          << value;
  failed = true;
  return 0;
}

SmallVector<int64_t> ScheduleReader::numbers(StringRef key) {
  auto value = read<DenseI64ArrayAttr>(key, "an array<i64>");
  return value ? llvm::to_vector(value.asArrayRef()) : SmallVector<int64_t>();
}

LogicalResult ScheduleReader::finish() {
  if (failed)
    return failure();
  for (NamedAttribute entry : entries)
    if (!llvm::is_contained(known, entry.getName()))
      return emitScheduleError(op) << "unknown key '" << entry.getName().getValue() << "' in "
                                   << name << ", expected " << llvm::join(known, ", ");
  return success();
}

FailureOr<StringRef> forge::scheduledStrategy(Operation *op) {
  Attribute attribute = op->getDiscardableAttr(kScheduleAttr);
  if (!attribute)
    return StringRef();
  auto entries = dyn_cast<DictionaryAttr>(attribute);
  auto strategy = entries ? entries.getAs<StringAttr>("strategy") : StringAttr();
  if (strategy && !strategy.empty())
    return strategy.getValue();
  emitScheduleError(op) << "expected a dictionary with a string 'strategy' as " << kScheduleAttr
                        << ", but got " << attribute;
  return failure();
}
