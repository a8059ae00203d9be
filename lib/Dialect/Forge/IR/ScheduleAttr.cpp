// The text of #forge.schedule and what it must hold.
#include "forge/Dialect/Forge/IR/Forge.h"
#include "forge/Dialect/Forge/IR/ScheduleFields.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>

using namespace mlir;
using namespace forge;
using Kind = ScheduleField::Kind;

static StringRef describe(Kind kind) {
  switch (kind) {
  case Kind::Size:
    return "an integer";
  case Kind::Word:
    return "a word";
  case Kind::Flag:
    return "true or false";
  case Kind::Sizes:
    return "a list of integers";
  }
  llvm_unreachable("a kind of field");
}

static bool hasKind(Attribute value, Kind kind) {
  auto integer = dyn_cast<IntegerAttr>(value);
  switch (kind) {
  case Kind::Size:
    return integer && integer.getType().isSignlessInteger(64);
  case Kind::Word:
    return isa<StringAttr>(value);
  case Kind::Flag:
    return isa<BoolAttr>(value);
  case Kind::Sizes:
    return isa<DenseI64ArrayAttr>(value);
  }
  llvm_unreachable("a kind of field");
}

static void printValue(raw_ostream &out, Attribute value) {
  if (auto word = dyn_cast<StringAttr>(value)) {
    out << word.getValue();
  } else if (auto flag = dyn_cast<BoolAttr>(value)) {
    out << (flag.getValue() ? "true" : "false");
  } else if (auto integer = dyn_cast<IntegerAttr>(value)) {
    out << integer.getInt();
  } else if (auto sizes = dyn_cast<DenseI64ArrayAttr>(value)) {
    out << "[";
    llvm::interleaveComma(sizes.asArrayRef(), out);
    out << "]";
  } else {
    out << value;
  }
}

static std::string textOf(Attribute value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  printValue(out, value);
  return text;
}

static std::string allNames() {
  return llvm::join(
      llvm::map_range(scheduleFields(), [](const ScheduleField &f) { return f.name; }), ", ");
}

/// Numbers in range, words that are known.
static LogicalResult verifyValue(llvm::function_ref<InFlightDiagnostic()> emitError,
                                 const ScheduleField &field, Attribute value) {
  if (!hasKind(value, field.kind))
    return emitError() << "expected " << describe(field.kind) << " for field '" << field.name
                       << "' of a schedule, but got " << textOf(value);
  if (auto word = dyn_cast<StringAttr>(value))
    return field.words.empty() || llvm::is_contained(field.words, word.getValue())
               ? success()
               : LogicalResult(emitError() << "expected one of " << llvm::join(field.words, ", ")
                                           << " for field '" << field.name
                                           << "' of a schedule, but got " << word.getValue());
  SmallVector<int64_t> sizes;
  if (auto list = dyn_cast<DenseI64ArrayAttr>(value))
    sizes = llvm::to_vector(list.asArrayRef());
  else if (field.kind == Kind::Size)
    sizes = {cast<IntegerAttr>(value).getInt()};
  for (int64_t size : sizes)
    if (size < field.least || size > field.most)
      return emitError() << "expected " << field.least << " to " << field.most << " for field '"
                         << field.name << "' of a schedule, but got " << size;
  return success();
}

LogicalResult ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                                   DictionaryAttr fields) {
  for (NamedAttribute entry : fields) {
    const ScheduleField *field = findScheduleField(entry.getName());
    if (!field)
      return emitError() << "unknown field '" << entry.getName().getValue()
                         << "' of a schedule, expected one of " << allNames();
    if (failed(verifyValue(emitError, *field, entry.getValue())))
      return failure();
  }
  return success();
}

/// An integer, `true` or `false`, a word, or a list of integers: what it is, its text says.
static FailureOr<Attribute> parseValue(AsmParser &parser) {
  Builder &b = parser.getBuilder();
  if (succeeded(parser.parseOptionalLSquare())) {
    SmallVector<int64_t> sizes;
    if (failed(parser.parseOptionalRSquare()) && (parser.parseCommaSeparatedList([&] {
          return parser.parseInteger(sizes.emplace_back());
        }) || parser.parseRSquare()))
      return failure();
    return Attribute(b.getDenseI64ArrayAttr(sizes));
  }
  // Before integers, as which `true` and `false` parse too.
  StringRef word;
  if (succeeded(parser.parseOptionalKeyword(&word)))
    return word == "true" || word == "false" ? Attribute(b.getBoolAttr(word == "true"))
                                             : Attribute(b.getStringAttr(word));
  int64_t number = 0;
  OptionalParseResult parsed = parser.parseOptionalInteger(number);
  if (!parsed.has_value())
    return parser.emitError(parser.getCurrentLocation(),
                            "expected an integer, a word or a list of integers as a field's value");
  return failed(*parsed) ? FailureOr<Attribute>() : Attribute(b.getI64IntegerAttr(number));
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  NamedAttrList fields;
  auto parseField = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef name;
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    if (fields.get(name))
      return parser.emitError(loc) << "field '" << name << "' of a schedule is given twice";
    FailureOr<Attribute> value = parseValue(parser);
    if (failed(value))
      return failure();
    fields.append(name, *value);
    // Here, where the place is the field's.
    return verify([&] { return parser.emitError(loc); }, fields.getDictionary(parser.getContext()));
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater, parseField))
    return {};
  return get(parser.getContext(), fields.getDictionary(parser.getContext()));
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  llvm::ListSeparator comma;
  for (const ScheduleField &field : scheduleFields())
    if (Attribute value = getFields().get(field.name)) {
      printer << StringRef(comma) << field.name << " = ";
      printValue(printer.getStream(), value);
    }
  printer << ">";
}

ScheduleAttr ScheduleAttr::empty(MLIRContext *context) {
  return get(context, DictionaryAttr::get(context));
}

std::optional<int64_t> ScheduleAttr::findSize(StringRef field) const {
  auto value = getFields().getAs<IntegerAttr>(field);
  return value ? std::optional(value.getInt()) : std::nullopt;
}

StringRef ScheduleAttr::findWord(StringRef field) const {
  auto value = getFields().getAs<StringAttr>(field);
  return value ? value.getValue() : StringRef();
}

std::optional<bool> ScheduleAttr::findFlag(StringRef field) const {
  auto value = getFields().getAs<BoolAttr>(field);
  return value ? std::optional(value.getValue()) : std::nullopt;
}

std::optional<ArrayRef<int64_t>> ScheduleAttr::findSizes(StringRef field) const {
  auto value = getFields().getAs<DenseI64ArrayAttr>(field);
  return value ? std::optional(value.asArrayRef()) : std::nullopt;
}

StringRef ScheduleAttr::strategy() const { return findWord("strategy"); }

static ScheduleAttr orValue(ScheduleAttr schedule, StringRef field, Attribute value) {
  if (schedule.has(field))
    return schedule;
  NamedAttrList fields(schedule.getFields());
  fields.set(field, value);
  return ScheduleAttr::get(schedule.getContext(), fields.getDictionary(schedule.getContext()));
}

/// What is computed from a size that a person has written may be none that the field can have: then
/// it is the nearest one, and whoever checks the schedule says what is expected.
ScheduleAttr ScheduleAttr::orSize(StringRef field, int64_t value) const {
  if (const ScheduleField *known = findScheduleField(field))
    value = std::clamp(value, known->least, known->most);
  return orValue(*this, field, Builder(getContext()).getI64IntegerAttr(value));
}

ScheduleAttr ScheduleAttr::orWord(StringRef field, StringRef value) const {
  return orValue(*this, field, StringAttr::get(getContext(), value));
}

ScheduleAttr ScheduleAttr::orFlag(StringRef field, bool value) const {
  return orValue(*this, field, BoolAttr::get(getContext(), value));
}

ScheduleAttr ScheduleAttr::orSizes(StringRef field, ArrayRef<int64_t> value) const {
  return orValue(*this, field, DenseI64ArrayAttr::get(getContext(), value));
}

std::string ScheduleAttr::describe() const {
  std::string text = strategy().str();
  llvm::raw_string_ostream out(text);
  StringRef before = "; ";
  for (const ScheduleField &field : scheduleFields()) {
    Attribute value = getFields().get(field.name);
    if (!value || field.name == "strategy" || field.name == "library")
      continue;
    out << before << field.name << " ";
    printValue(out, value);
    before = ", ";
  }
  return text;
}
