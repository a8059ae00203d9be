// The text of a plan.
#include "forge/Codegen/Plan.h"
#include "forge/Codegen/Target.h"
#include "forge/Diagnostics/ErrorContext.h"
#include "forge/Diagnostics/ErrorKind.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <map>

using namespace mlir;
using namespace forge;

static constexpr StringLiteral kFirstLine = "forge-plan 1", kBegin = "#forge.schedule<";
static constexpr size_t kHashDigits = 32;

static bool isHash(StringRef text) {
  return text.size() == kHashDigits &&
         llvm::all_of(text, [](char c) { return llvm::isDigit(c) || (c >= 'a' && c <= 'f'); });
}

/// The first word of `text`, and what is behind it: parts of `text`, even where they are empty.
static std::pair<StringRef, StringRef> splitWord(StringRef text) {
  StringRef word = text.take_front(text.find_first_of(" \t"));
  return {word, text.drop_front(word.size()).ltrim()};
}

namespace {
/// Reads a plan line by line: the first line, the compiler, then chips and kernels.
class PlanReader {
public:
  PlanReader(StringRef file, StringRef compiler, MLIRContext *context)
      : file(file), compiler(compiler), context(context) {}

  FailureOr<DictionaryAttr> read(StringRef text);

private:
  LogicalResult readLine(StringRef line);
  LogicalResult readHead(StringRef line);
  LogicalResult readCompiler(StringRef name);
  LogicalResult readChip(StringRef name);
  LogicalResult readKernel(StringRef rest);
  FailureOr<ScheduleAttr> readSchedule(StringRef text);

  /// Where `part`, a part of the line that is read, begins.
  FileLineColLoc placeOf(StringRef part) const {
    return FileLineColLoc::get(context, file, number,
                               static_cast<unsigned>(part.data() - start) + 1);
  }
  InFlightDiagnostic error(StringRef part) const {
    InFlightDiagnostic made = emitUserError(placeOf(part));
    ErrorDetails details;
    details.advice =
        "forge tune -o FILE or forge explain --save-plan FILE, which write a plan of this compiler";
    addErrorDetails(*made.getUnderlyingDiagnostic(), details);
    return made;
  }

  StringRef file, compiler;
  MLIRContext *context;
  unsigned number = 0;
  const char *start = nullptr;
  bool hasFirstLine = false, hasCompiler = false;
  llvm::StringMap<PlannedSchedule> *kernels = nullptr;
  std::map<StringRef, llvm::StringMap<PlannedSchedule>> chips;
};
} // namespace

/// What is read of a text in a message: its beginning.
static std::string shown(StringRef text) {
  std::string message = "'";
  llvm::raw_string_ostream(message).write_escaped(text.take_front(80)) << "'";
  return message;
}

static DictionaryAttr asAttribute(const llvm::StringMap<PlannedSchedule> &kernels,
                                  MLIRContext *context) {
  Builder b(context);
  NamedAttrList entries;
  for (const auto &entry : kernels) {
    const PlannedSchedule &planned = entry.getValue();
    entries.append(entry.getKey(),
                   b.getDictionaryAttr({b.getNamedAttr("place", planned.place),
                                        b.getNamedAttr("schedule", planned.schedule)}));
  }
  return entries.getDictionary(context);
}

FailureOr<DictionaryAttr> PlanReader::read(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    text = rest;
    ++number;
    start = line.data();
    StringRef content = line.take_front(line.find("//")).trim();
    if (!content.empty() && failed(readLine(content)))
      return failure();
  }
  NamedAttrList plan;
  for (auto &[chip, entries] : chips)
    if (!entries.empty())
      plan.append(chip, asAttribute(entries, context));
  if (!plan.empty())
    return plan.getDictionary(context);
  return emitUserError(FileLineColLoc::get(context, file, std::max(number, 1u), 1))
             << "expected a plan with kernels, which begins with '" << kFirstLine
             << "', but it has none",
         failure();
}

LogicalResult PlanReader::readLine(StringRef line) {
  if (!hasFirstLine || !hasCompiler)
    return readHead(line);
  auto [word, rest] = splitWord(line);
  if (word == "chip")
    return readChip(rest);
  if (word == "kernel")
    return readKernel(rest);
  return error(line) << "expected 'chip' or 'kernel', but got " << shown(word);
}

LogicalResult PlanReader::readHead(StringRef line) {
  if (!hasFirstLine) {
    hasFirstLine = true;
    return line == kFirstLine
               ? success()
               : LogicalResult(error(line) << "expected a plan, which begins with '" << kFirstLine
                                           << "', but got " << shown(line));
  }
  auto [word, name] = splitWord(line);
  if (word != "compiler")
    return error(line) << "expected 'compiler' and its version, but got " << shown(line);
  return readCompiler(name);
}

LogicalResult PlanReader::readCompiler(StringRef name) {
  hasCompiler = true;
  if (name == compiler)
    return success();
  return error(name) << "expected a plan of this compiler, " << compiler << ", but this is one of "
                     << shown(name);
}

LogicalResult PlanReader::readChip(StringRef name) {
  const GPUChip *chip = findChip(name);
  if (!chip)
    return error(name) << "expected the name of a chip, as sm_90a, but got " << shown(name);
  kernels = &chips[chip->name];
  return success();
}

LogicalResult PlanReader::readKernel(StringRef rest) {
  auto [hash, text] = splitWord(rest);
  if (!kernels)
    return error(rest) << "expected 'chip' before the first kernel";
  if (!isHash(hash))
    return error(hash) << "expected the hash of a kernel, " << kHashDigits
                       << " hexadecimal digits, but got " << shown(hash);
  if (auto before = kernels->find(hash); before != kernels->end()) {
    InFlightDiagnostic twice = error(hash) << "expected one schedule for each kernel, but this "
                                              "kernel has two";
    twice.attachNote(before->second.place) << "the other one is here";
    return twice;
  }
  FailureOr<ScheduleAttr> schedule = readSchedule(text);
  if (failed(schedule))
    return failure();
  kernels->try_emplace(hash, PlannedSchedule{*schedule, placeOf(hash)});
  return success();
}

namespace {
/// The first error that MLIR's parser has with a text, and the column there.
struct ParserError {
  std::string message;
  unsigned column = 1;
};
} // namespace

static FailureOr<ScheduleAttr> parseSchedule(StringRef text, MLIRContext *context,
                                             ParserError &error) {
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    if (!error.message.empty() || diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    error.message = diagnostic.str();
    if (auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation()))
      error.column = std::max(place.getColumn(), 1u);
    return success();
  });
  context->getOrLoadDialect<ForgeDialect>();
  auto schedule = dyn_cast_or_null<ScheduleAttr>(parseAttribute(text, context));
  if (!schedule)
    return failure();
  return schedule;
}

/// By MLIR's parser. There is one pair of brackets: no type and no other attribute is read.
FailureOr<ScheduleAttr> PlanReader::readSchedule(StringRef text) {
  if (!text.starts_with(kBegin) || !text.ends_with(">") || text.count('<') != 1 ||
      text.count('>') != 1)
    return error(text) << "expected a schedule, as #forge.schedule<strategy = rows>, but got "
                       << shown(text),
           failure();
  ParserError wrong;
  FailureOr<ScheduleAttr> schedule = parseSchedule(text, context, wrong);
  if (failed(schedule))
    return error(text.drop_front(std::min<size_t>(wrong.column - 1, text.size()))) << wrong.message,
           failure();
  return schedule;
}

FailureOr<DictionaryAttr> forge::parsePlan(StringRef text, StringRef file, StringRef compiler,
                                           MLIRContext *context) {
  return PlanReader(file, compiler, context).read(text);
}

void forge::writePlan(raw_ostream &os, StringRef compiler, StringRef chip,
                      ArrayRef<PlanLine> lines) {
  os << kFirstLine << "\ncompiler " << compiler << "\nchip " << chip << "\n";
  llvm::StringSet<> written;
  for (const PlanLine &line : lines)
    if (written.insert(line.hash).second)
      (os << "kernel " << line.hash << " " << line.schedule << "  // ").write_escaped(line.name)
          << "\n";
}
