// A folder of torch_xla holds, for each function,
//   functions/NAME.bytecode   a StableHLO portable artifact;
//   functions/NAME.meta       JSON; in "input_locations" what each argument is: {"type_":
//   "parameter",
//                             "name": NAME}, {"type_": "constant", "position": N}, or
//                             {"type_": "input_arg", "position": N}, an argument in Python;
// and for all functions data/NAME and constants/N, .npy files without that ending.
#include "forge/Import/TorchXla.h"

#include "forge/Checkpoint/Json.h"
#include "forge/Import/ModuleFile.h"
#include "forge/Import/WeightAttribute.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace forge;

namespace {
/// Where an argument comes from: a file, or Python's arguments.
struct Location {
  std::optional<WeightSource> weight;
  int64_t position = 0;
};
} // namespace

/// The files functions/*.meta.
static std::vector<std::string> descriptionsIn(const std::string &folder) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator entry(folder + "/functions", error), end;
       !error && entry != end; entry.increment(error))
    if (llvm::sys::path::extension(entry->path()) == ".meta")
      paths.push_back(entry->path());
  llvm::sort(paths);
  return paths;
}

bool forge::isTorchXlaFolder(const std::string &folder) { return !descriptionsIn(folder).empty(); }

/// A name of a file in a folder, and no way out of it.
static bool isFileName(const std::string &name) {
  return !name.empty() && name != "." && name != ".." && llvm::none_of(name, [](char c) {
    return c == '/' || static_cast<unsigned char>(c) < ' ';
  });
}

static Result<Location> parseLocation(const nlohmann::json &value) {
  Error refused = {"expected an input location, but got " + briefText(value)};
  if (!value.is_object() || !value.contains("type_") || !value["type_"].is_string())
    return refused;
  std::string type = value["type_"];
  Location location;
  if (type == "parameter") {
    if (!value.contains("name") || !value["name"].is_string() ||
        !isFileName(value["name"].get<std::string>()))
      return refused;
    std::string name = value["name"];
    location.weight = WeightSource{"data/" + name, name};
    return location;
  }
  std::optional<int64_t> position =
      value.contains("position") ? naturalNumber(value["position"]) : std::nullopt;
  if (!position || (type != "constant" && type != "input_arg"))
    return refused;
  location.position = *position;
  if (type == "constant") {
    std::string number = std::to_string(*position);
    location.weight = WeightSource{"constants/" + number, number};
  }
  return location;
}

static Result<std::vector<Location>> readLocations(const std::string &path) {
  Result<nlohmann::json> description = readJsonObject(path);
  if (!description)
    return description.error();
  auto found = description->find("input_locations");
  if (found == description->end() || !found->is_array())
    return Error{path + ": expected a list 'input_locations'"};
  std::vector<Location> locations;
  for (const nlohmann::json &value : *found) {
    Result<Location> location = parseLocation(value);
    if (!location)
      return Error{path + ": " + location.error().message};
    locations.push_back(*location);
  }
  return locations;
}

/// Gives `function` the arguments order[0], order[1] ... of those that it has.
static void reorderArguments(mlir::func::FuncOp function, llvm::ArrayRef<unsigned> order) {
  mlir::Block &body = function.front();
  unsigned count = function.getNumArguments();
  llvm::SmallVector<mlir::Type> types;
  llvm::SmallVector<mlir::Attribute> attributes;
  for (unsigned from : order) {
    mlir::BlockArgument before = body.getArgument(from);
    types.push_back(before.getType());
    mlir::DictionaryAttr dictionary = function.getArgAttrDict(from);
    attributes.push_back(dictionary ? dictionary
                                    : mlir::DictionaryAttr::get(function.getContext()));
    before.replaceAllUsesWith(body.addArgument(before.getType(), before.getLoc()));
  }
  body.eraseArguments(0, count);
  function.setType(
      mlir::FunctionType::get(function.getContext(), types, function.getResultTypes()));
  function.setAllArgAttrs(attributes);
}

/// Python's arguments first, by position; then what files hold, as it is.
static void bindArguments(mlir::func::FuncOp function, llvm::ArrayRef<Location> locations) {
  llvm::SmallVector<unsigned> order;
  for (auto [i, location] : llvm::enumerate(locations)) {
    order.push_back(static_cast<unsigned>(i));
    if (location.weight)
      setWeight(function, static_cast<unsigned>(i), *location.weight);
  }
  llvm::stable_sort(order, [&](unsigned a, unsigned b) {
    bool isWeightA = locations[a].weight.has_value(), isWeightB = locations[b].weight.has_value();
    if (isWeightA != isWeightB)
      return isWeightB;
    return !isWeightA && locations[a].position < locations[b].position;
  });
  if (!llvm::is_sorted(order))
    reorderArguments(function, order);
}

mlir::OwningOpRef<mlir::ModuleOp> forge::importTorchXla(const std::string &folder,
                                                        mlir::MLIRContext &context) {
  auto fail = [&](const llvm::Twine &message) -> mlir::OwningOpRef<mlir::ModuleOp> {
    mlir::emitError(mlir::UnknownLoc::get(&context)) << message;
    return {};
  };
  std::vector<std::string> descriptions = descriptionsIn(folder);
  std::string forward = folder + "/functions/forward.meta";
  if (descriptions.empty() ||
      (descriptions.size() > 1 && !llvm::is_contained(descriptions, forward)))
    return fail(folder + ": expected functions/forward.meta, or one function");
  std::string path = descriptions.size() > 1 ? forward : descriptions.front();
  Result<std::vector<Location>> locations = readLocations(path);
  if (!locations)
    return fail(locations.error().message);
  llvm::SmallString<128> bytecode(path);
  llvm::sys::path::replace_extension(bytecode, "bytecode");
  mlir::OwningOpRef<mlir::ModuleOp> module = loadModule(bytecode, &context);
  if (!module)
    return {};
  auto function = module->lookupSymbol<mlir::func::FuncOp>("main");
  if (!function || function.isExternal())
    return fail(bytecode + ": expected a function 'main'");
  if (function.getNumArguments() != locations->size())
    return fail(path + ": expected " + llvm::Twine(function.getNumArguments()) +
                " input locations, but got " + llvm::Twine(locations->size()));
  bindArguments(function, *locations);
  return module;
}
