#include "BenchSuite.h"

#include "forge/Checkpoint/Json.h"
#include "forge/Import/HuggingFace.h"
#include "forge/Import/TorchXla.h"
#include "forge/Support/ErrorDetails.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <nlohmann/json.hpp>

#include <filesystem>

using namespace forge;
using namespace forge::tool;
using Json = nlohmann::ordered_json;

/// Sequences and tokens at most: what a suite says is for a machine's memory.
static constexpr int64_t kMostSize = 1 << 24;

/// One run of suite.json; the message says what was expected.
static Result<ModuleOptions> readRun(const Json &run, ModuleOptions subject) {
  if (!run.is_object() || run.empty())
    return Error{R"(expected objects with "cache", "batch" or "length")"};
  for (const auto &[key, value] : run.items()) {
    bool isKnown = llvm::is_contained({"cache", "batch", "length"}, llvm::StringRef(key));
    if (!isKnown || !value.is_number_integer() || value < 1 || value > kMostSize)
      return Error{R"(expected "cache", "batch" and "length" from 1 to )" +
                   std::to_string(kMostSize) + ", but got " +
                   Json{{key, value}}.dump(-1, ' ', false, Json::error_handler_t::replace)};
  }
  if (run.contains("cache") && run.contains("length"))
    return Error{R"(expected "cache" or "length", but got both)"};
  subject.randomWeights = true;
  subject.batch = run.value("batch", int64_t(1));
  subject.length = run.value("length", subject.length);
  if (run.contains("cache"))
    subject.cache = run["cache"].get<int64_t>();
  if (subject.cache && subject.function.empty())
    subject.function = "decode";
  return subject;
}

/// Where the element of the outermost array of a JSON text begins: JSON is YAML, whose parser
/// knows.
static size_t offsetOfElement(llvm::StringRef text, size_t element) {
  llvm::SourceMgr sources;
  llvm::yaml::Stream stream(text, sources);
  auto *runs = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(stream.begin()->getRoot());
  size_t number = 0;
  if (runs)
    for (const llvm::yaml::Node &run : *runs)
      if (number++ == element)
        return static_cast<size_t>(run.getSourceRange().Start.getPointer() - text.data());
  return 0;
}

static Result<void> addCheckpoint(const std::string &folder, const ModuleOptions &options,
                                  std::vector<ModuleOptions> &subjects) {
  std::string path = folder + "/suite.json";
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return Error{path + ": cannot read: " + file.getError().message()};
  llvm::StringRef text = (*file)->getBuffer();
  auto wrong = [&](size_t offset, const std::string &why) {
    TextPlace place = placeAt(text, offset);
    return withDetails(Error{why}, {.location = path + ":" + std::to_string(place.line) + ":" +
                                                std::to_string(place.column)});
  };
  if (std::optional<size_t> offset = whereNoJson(text))
    return wrong(*offset, "expected an array of runs, but got no valid JSON");
  Json runs = Json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
  if (!runs.is_array() || runs.empty())
    return wrong(0, "expected an array of runs, at least one");
  ModuleOptions subject = options;
  subject.path = folder;
  for (size_t i = 0; i < runs.size(); ++i) {
    Result<ModuleOptions> read = readRun(runs[i], subject);
    if (!read)
      return wrong(offsetOfElement(text, i), read.error().message);
    subjects.push_back(std::move(*read));
  }
  return {};
}

/// A suite of forge evaluate, which is none of forge bench.
static bool isEvaluateSuite(const std::string &path) {
  auto file = llvm::MemoryBuffer::getFileSlice(path, /*MapSize=*/11, /*Offset=*/0);
  return file && (*file)->getBuffer() == "forge-suite";
}

Result<std::vector<ModuleOptions>> tool::subjectsOf(const ModuleOptions &options) {
  std::error_code error;
  if (llvm::sys::fs::is_regular_file(options.path) && isEvaluateSuite(options.path))
    return withDetails(
        Error{"expected a module, or a folder of .mlir files, but got a suite of forge evaluate"},
        {.location = options.path + ":1:1"});
  if (!llvm::sys::fs::is_directory(options.path) || isCheckpoint(options.path) ||
      isTorchXlaFolder(options.path))
    return std::vector{options};
  std::vector<std::string> paths;
  for (std::filesystem::directory_iterator it(options.path, error), end; !error && it != end;
       it.increment(error))
    if (it->path().extension() == ".mlir" ||
        (llvm::sys::fs::is_directory(it->path().string()) &&
         llvm::sys::fs::exists((it->path() / "suite.json").string())))
      paths.push_back(it->path());
  llvm::sort(paths);
  std::vector<ModuleOptions> subjects;
  for (const std::string &path : paths) {
    if (llvm::sys::fs::is_directory(path)) {
      if (Result<void> added = addCheckpoint(path, options, subjects); !added)
        return added.error();
      continue;
    }
    subjects.push_back(options);
    subjects.back().path = path;
  }
  if (subjects.empty())
    return Error{options.path + ": expected a module, or a folder of .mlir files"};
  return subjects;
}
