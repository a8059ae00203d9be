// Programs and loops: text and verifiers.
#include "forge/Dialect/Register/IR/Register.h"

#include "ParsedArguments.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace forge::registers;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

void ProgramOp::getAsmBlockArgumentNames(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, isBuffer(argument) ? "b" : "n");
}

/// `%b = %x`
static ParseResult parseArgument(OpAsmParser &parser,
                                 SmallVectorImpl<OpAsmParser::Argument> &arguments,
                                 SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  return failure(parser.parseArgument(arguments.emplace_back()) || parser.parseEqual() ||
                 parser.parseOperand(operands.emplace_back()));
}

ParseResult ProgramOp::parse(OpAsmParser &parser, OperationState &result) {
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  FunctionType type;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren,
                                     [&] { return parseArgument(parser, arguments, operands); }) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes) || parser.parseColonType(type) ||
      parser.resolveOperands(operands, type.getInputs(), loc, result.operands))
    return failure();
  for (auto [argument, input] : llvm::zip_equal(arguments, type.getInputs()))
    argument.type = isa<IndexType>(input) ? input : BufferType::get(parser.getContext());
  result.addTypes(type.getResults());
  ParsedArguments known(arguments);
  return parser.parseRegion(*result.addRegion(), arguments, /*enableNameShadowing=*/true);
}

void ProgramOp::print(OpAsmPrinter &printer) {
  printer << "(";
  llvm::interleaveComma(llvm::zip(getBody().getArguments(), getArguments()), printer,
                        [&](auto pair) {
                          printer.printOperand(std::get<0>(pair));
                          printer << " = ";
                          printer.printOperand(std::get<1>(pair));
                        });
  printer << ")";
  printer.printOptionalAttrDictWithKeyword((*this)->getAttrs());
  printer << " : ";
  printer.printFunctionalType(*this);
  printer << " ";
  printer.printRegion(getBody(), /*printEntryBlockArgs=*/false);
}

//===----------------------------------------------------------------------===//
// Verifiers
//===----------------------------------------------------------------------===//

RankedTensorType ProgramOp::getBufferType() {
  for (Type type : getArguments().getTypes())
    if (auto tensor = dyn_cast<RankedTensorType>(type))
      return tensor;
  return {};
}

LogicalResult ProgramOp::verify() {
  // program_c1
  RankedTensorType buffer = getBufferType();
  if (!buffer)
    return emitOpError("expected a tensor among the operands, but got none");
  Type element = buffer.getElementType();
  if (buffer.getRank() == 0 ||
      !(element.isF16() || element.isBF16() || element.isF32() || element.isF64()))
    return emitOpError("expected buffers of rank 1 or more of f16, bf16, f32 or f64, but got ")
           << buffer;
  for (Type type : getArguments().getTypes())
    if (isa<RankedTensorType>(type) && type != buffer)
      return emitOpError("expected buffers of one type, but got ") << buffer << " and " << type;
  return success();
}

/// program_c2: the region's arguments are what the operands are in the program.
static LogicalResult verifyArguments(ProgramOp program) {
  Region &body = program.getBody();
  if (body.getNumArguments() != program.getArguments().size())
    return program.emitOpError("expected an argument of the region for each operand, but got ")
           << body.getNumArguments() << " for " << program.getArguments().size();
  for (auto [argument, operand] : llvm::zip_equal(body.getArguments(), program.getArguments())) {
    bool isNumber = isa<IndexType>(operand.getType());
    if (isNumber ? !isa<IndexType>(argument.getType()) : !ProgramOp::isBuffer(argument))
      return program.emitOpError("expected argument ")
             << argument.getArgNumber() << " of the region to be of type "
             << (isNumber ? "index" : "!register.buffer") << ", but got " << argument.getType();
  }
  return success();
}

/// program_c3 and program_c4: what `end` names.
static LogicalResult verifyEnd(ProgramOp program) {
  Block &block = program.getBody().front();
  auto end = block.empty() ? nullptr : dyn_cast<EndOp>(block.back());
  if (!end)
    return program.emitOpError("expected 'register.end' at the end of the program");
  if (end.getBuffers().empty())
    return end.emitOpError("expected a buffer or more, but got none");
  if (end.getBuffers().size() != program.getNumResults())
    return end.emitOpError("expected a buffer for each of the ")
           << program.getNumResults() << " results, but got " << end.getBuffers().size();
  for (Type type : program.getResultTypes())
    if (type != program.getBufferType())
      return program.emitOpError("expected results of the type of the buffers, ")
             << program.getBufferType() << ", but got " << type;
  for (Value buffer : end.getBuffers())
    if (llvm::none_of(buffer.getUsers(), llvm::IsaPred<StoreOp>))
      return end.emitOpError("expected a store to buffer ")
             << cast<BlockArgument>(buffer).getArgNumber() << ", but got none";
  return success();
}

namespace {
/// program_c5 and program_c6.
class Instructions {
public:
  /// Of `block`; what it is the first to write is appended to `first`.
  LogicalResult verify(Block &block, SmallVectorImpl<int64_t> &first, int64_t depth = 0) {
    for (Operation &op : block)
      if (failed(verify(&op, first, depth)))
        return failure();
    return success();
  }

private:
  LogicalResult verify(Operation *op, SmallVectorImpl<int64_t> &first, int64_t depth) {
    if (isa<EndOp>(op))
      return success();
    if (auto loop = dyn_cast<LoopOp>(op))
      return verify(loop, depth + 1);
    auto instruction = dyn_cast<InstructionOpInterface>(op);
    if (!instruction)
      return op->emitError("expected instructions in a program, but got '") << op->getName() << "'";
    for (int64_t number : instruction.getReadRegisters())
      if (!written.contains(number))
        return reportUnwritten(op, number);
    std::optional<int64_t> number = instruction.getWrittenRegister();
    if (number && written.insert(*number).second)
      first.push_back(*number);
    return success();
  }

  LogicalResult reportUnwritten(Operation *op, int64_t number) const {
    InFlightDiagnostic error = op->emitOpError("expected r")
                               << number << " to be written before it is read";
    if (LoopOp loop = ended.lookup(number)) {
      error << ", but it is written in a loop only, and loops count as run zero times or more";
      error.attachNote(loop.getLoc()) << "it is written in this loop";
    }
    return error;
  }

  LogicalResult verify(LoopOp loop, int64_t depth) {
    constexpr int64_t kDeepest = 64;
    if (depth > kDeepest)
      return loop.emitOpError("expected at most ") << kDeepest << " loops within each other";
    SmallVector<int64_t> inside;
    if (failed(verify(loop.getBody().front(), inside, depth)))
      return failure();
    for (int64_t number : inside) {
      written.erase(number);
      ended[number] = loop;
    }
    return success();
  }

  DenseSet<int64_t> written;
  /// Loops in front that write registers which are not written outside of loops.
  DenseMap<int64_t, LoopOp> ended;
};
} // namespace

LogicalResult ProgramOp::verifyRegions() {
  SmallVector<int64_t> written;
  return failure(failed(verifyArguments(*this)) || failed(verifyEnd(*this)) ||
                 failed(Instructions().verify(getBody().front(), written)));
}

LogicalResult LoopOp::verify() {
  // loop_c1
  if (bool(getCount()) == getTimes().has_value())
    return emitOpError(
               "expected a number of times, written or an argument of the program, but got ")
           << (getCount() ? "both" : "none");
  return success();
}
