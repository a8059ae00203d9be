// For any bytes: as a file of jax.export they are refused, or give an artifact that is a part
// of them; as the encodings of vhlo's operations, types and attributes they give operations of
// StableHLO, or a diagnostic. What frames these encodings is read by MLIR, which trusts its input,
// so the bytes are given to them directly; the counts in the frame are compared with the bytes that
// are there before MLIR reads them, and that is tried with the bytes as a file.
#include "../lib/Import/BytecodeSizes.h"
#include "../lib/Import/Portable/JaxExport.h"
#include "../lib/Import/Portable/PortableArtifact.h"
#include "../lib/Import/Portable/VhloBytecode.h"
#include "../lib/Import/Portable/VhloDialect.h"
#include "../lib/Import/Portable/VhloOps.h"

#include "forge/Dialect/StableHLO/IR/Sdy.h"
#include "forge/Dialect/StableHLO/IR/StableHLO.h"
#include "forge/Import/Diagnostics.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/IR/Verifier.h"

#include <cstdlib>

using namespace forge;
using mlir::failure;
using mlir::LogicalResult;
using mlir::success;

namespace {
/// Reads everything from one stream of bytes, what an attribute refers to in its place.
class StreamReader : public mlir::DialectBytecodeReader {
public:
  StreamReader(llvm::StringRef bytes, mlir::MLIRContext *context)
      : bytes(bytes), context(context) {}

  bool atEnd() const { return bytes.empty(); }
  uint8_t byte() {
    uint8_t front = bytes.empty() ? 0 : static_cast<uint8_t>(bytes.front());
    bytes = bytes.drop_front(bytes.empty() ? 0 : 1);
    return front;
  }

  mlir::InFlightDiagnostic emitError(const llvm::Twine &message) const override {
    return mlir::emitError(mlir::UnknownLoc::get(context), message);
  }
  mlir::FailureOr<const mlir::DialectVersion *> getDialectVersion(llvm::StringRef) const override {
    return failure();
  }
  mlir::MLIRContext *getContext() const override { return context; }
  uint64_t getBytecodeVersion() const override { return 6; }
  LogicalResult readAttribute(mlir::Attribute &result) override;
  LogicalResult readOptionalAttribute(mlir::Attribute &result) override {
    return byte() % 2 ? readAttribute(result) : success();
  }
  LogicalResult readType(mlir::Type &result) override {
    if (atEnd() || depth == maxDepth)
      return failure();
    ++depth;
    result = readVhloType(*this);
    --depth;
    return success(static_cast<bool>(result));
  }
  LogicalResult readVarInt(uint64_t &result) override {
    if (atEnd())
      return failure();
    // Small numbers, and large ones where the highest byte is met.
    result = byte();
    if (result == 0xff)
      for (int i = 0; i < 8; ++i)
        result = result << 8 | byte();
    return success();
  }
  LogicalResult readSignedVarInt(int64_t &result) override {
    uint64_t number;
    if (failed(readVarInt(number)))
      return failure();
    result = static_cast<int64_t>(number >> 1) ^ -static_cast<int64_t>(number & 1);
    return success();
  }
  mlir::FailureOr<llvm::APInt> readAPIntWithKnownWidth(unsigned width) override {
    uint64_t number;
    if (failed(readVarInt(number)))
      return failure();
    return llvm::APInt(width, number, /*isSigned=*/false, /*implicitTrunc=*/true);
  }
  mlir::FailureOr<llvm::APFloat>
  readAPFloatWithKnownSemantics(const llvm::fltSemantics &semantics) override {
    auto bits = readAPIntWithKnownWidth(llvm::APFloat::getSizeInBits(semantics));
    if (failed(bits))
      return failure();
    return llvm::APFloat(semantics, *bits);
  }
  LogicalResult readString(llvm::StringRef &result) override {
    size_t size = byte();
    result = bytes.take_front(size);
    bytes = bytes.drop_front(result.size());
    return success(result.size() == size);
  }
  LogicalResult readBlob(llvm::ArrayRef<char> &result) override {
    llvm::StringRef text;
    if (failed(readString(text)))
      return failure();
    result = {text.data(), text.size()};
    return success();
  }
  LogicalResult readBool(bool &result) override {
    result = byte() % 2;
    return success();
  }

private:
  mlir::FailureOr<mlir::AsmDialectResourceHandle> readResourceHandle() override {
    return failure();
  }

  static constexpr unsigned maxDepth = 8;
  llvm::StringRef bytes;
  mlir::MLIRContext *context;
  unsigned depth = 0;
};
} // namespace

LogicalResult StreamReader::readAttribute(mlir::Attribute &result) {
  if (atEnd() || depth == maxDepth)
    return failure();
  ++depth;
  uint8_t kind = byte();
  // Artifacts mix dialects: few attributes are not of vhlo.
  if (kind == 0xfe)
    result = mlir::UnitAttr::get(context);
  else if (kind == 0xfd)
    result = mlir::FlatSymbolRefAttr::get(context, "f");
  else if (kind == 0xfc)
    result = mlir::IntegerAttr::get(mlir::IntegerType::get(context, 128), byte());
  else if (kind >= 0xf0)
    result = context->getOrLoadDialect<sdy::SdyDialect>()
                 ->getRegisteredInterface<mlir::BytecodeDialectInterface>()
                 ->readAttribute(*this);
  else
    result = readVhloAttribute(*this);
  --depth;
  return success(static_cast<bool>(result));
}

/// One operation of vhlo at the end of `block`: false where the bytes do not say all of it.
static bool readOperation(StreamReader &reader, mlir::Block &block, unsigned depth) {
  mlir::MLIRContext *context = reader.getContext();
  const VhloOp &row = vhloOps()[reader.byte() % vhloOps().size()];
  mlir::OperationState state(mlir::UnknownLoc::get(context), ("vhlo." + row.name).str());
  llvm::SmallVector<llvm::StringRef> names;
  row.attributes.split(names, ' ', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef name : names) {
    mlir::Attribute value;
    if (failed(reader.readAttribute(value)))
      return false;
    state.addAttribute(name, value);
  }
  for (unsigned i = reader.byte() % 4; i > 0; --i) {
    mlir::Type type;
    if (failed(reader.readType(type)))
      return false;
    state.addTypes(type);
  }
  llvm::SmallVector<mlir::Value> values(block.args_begin(), block.args_end());
  for (mlir::Operation &op : block)
    llvm::append_range(values, op.getResults());
  for (unsigned i = values.empty() ? 0 : reader.byte() % 4; i > 0; --i)
    state.addOperands(values[reader.byte() % values.size()]);
  for (unsigned i = depth < 3 ? reader.byte() % 3 : 0; i > 0; --i) {
    mlir::Block &body = state.addRegion()->emplaceBlock();
    for (unsigned j = reader.byte() % 3; j > 0; --j) {
      mlir::Type type;
      if (failed(reader.readType(type)))
        return false;
      body.addArgument(type, state.location);
    }
    for (unsigned j = reader.byte() % 4; j > 0; --j)
      if (!readOperation(reader, body, depth + 1))
        return false;
  }
  block.push_back(mlir::Operation::create(state));
  return true;
}

static void readOperations(llvm::StringRef bytes) {
  static const mlir::DialectRegistry registry = [] {
    mlir::DialectRegistry dialects;
    dialects.insert<sdy::SdyDialect, stablehlo::StableHLODialect, mlir::func::FuncDialect,
                    mlir::quant::QuantDialect>();
    return dialects;
  }();
  // Made anew from time to time: it keeps every type that it has seen.
  static std::unique_ptr<mlir::MLIRContext> owned;
  static unsigned uses = 0;
  if (uses++ % 512 == 0)
    owned = std::make_unique<mlir::MLIRContext>(registry, mlir::MLIRContext::Threading::DISABLED);
  mlir::MLIRContext &context = *owned;
  context.getOrLoadDialect<VhloDialect>();
  LineDiagnostics lines(&context, llvm::nulls());
  StreamReader reader(bytes, &context);
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(&context));
  while (!reader.atEnd())
    if (!readOperation(reader, *module->getBody(), 0))
      break;
  int before = lines.numErrors();
  if ((failed(legalizeVhlo(*module)) || failed(mlir::verify(*module))) &&
      lines.numErrors() == before)
    std::abort();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  (void)portableVersion(bytes);
  if (Result<JaxExport> exported = parseJaxExport(bytes); exported && !exported->module.empty())
    if (exported->module.begin() < bytes.begin() || exported->module.end() > bytes.end())
      std::abort();
  if (auto sizes = checkBytecodeSizes(bytes); !sizes && sizes.error().message.empty())
    std::abort();
  readOperations(bytes);
  return 0;
}
