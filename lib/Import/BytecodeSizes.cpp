// The form of bytecode is described in https://mlir.llvm.org/docs/BytecodeFormat.
#include "BytecodeSizes.h"

#include "forge/Import/ModuleFile.h"

#include "mlir/Bytecode/Encoding.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

#include <optional>
#include <utility>

using namespace forge;
namespace bytecode = mlir::bytecode;

namespace {
/// Reads from the front of some bytes. After a failure everything fails.
class Cursor {
public:
  explicit Cursor(llvm::StringRef bytes) : rest(bytes) {}

  size_t remaining() const { return rest.size(); }
  bool readByte(uint8_t &byte);
  bool readNumber(uint64_t &number);
  /// A number with a flag in its lowest bit.
  bool readFlagged(uint64_t &number, bool &flag);
  bool skipNumbers(uint64_t count);
  bool readSection(uint8_t &id, llvm::StringRef &data);
  bool skipString();

private:
  llvm::StringRef rest;
};

/// The regions of an operation that are still to come, and where they are.
struct Frame {
  size_t cursor;
  uint64_t regions, blocks = 0, operations = 0;
};

class Scanner {
public:
  explicit Scanner(llvm::StringRef file) : file(file), values(file.size()), blocks(file.size()) {}
  Result<bool> scan();

private:
  // Each is false where the bytes are cut off or malformed; `problem` says whether a count is why.
  bool scanSections();
  bool scanCounts(uint8_t section, llvm::StringRef data);
  bool scanIR(llvm::StringRef data);
  bool scanRegion(Frame &frame);
  bool scanBlockHeader(Frame &frame);
  bool scanOperation(Cursor &cursor, uint64_t &regions, bool &isIsolated);
  bool scanUseLists(Cursor &cursor, uint64_t values);
  /// Of `things` there are `count`, each of a byte at least in what is left of `available`.
  bool checkCount(llvm::StringRef things, uint64_t count, uint64_t available);

  llvm::StringRef file;
  uint64_t version = 0;
  /// What regions may still have of them, all together.
  uint64_t values, blocks;
  llvm::SmallVector<Cursor> cursors;
  llvm::SmallVector<Frame> frames;
  std::string problem;
};
} // namespace

bool Cursor::readByte(uint8_t &byte) {
  if (rest.empty())
    return false;
  byte = static_cast<uint8_t>(rest.front());
  rest = rest.drop_front();
  return true;
}

bool Cursor::readNumber(uint64_t &number) {
  if (rest.empty())
    return false;
  // The zeros below the lowest one bit of the first byte count the bytes that follow.
  auto first = static_cast<uint8_t>(rest.front());
  size_t more = first == 0 ? 8 : static_cast<size_t>(llvm::countr_zero(first));
  if (rest.size() <= more)
    return false;
  char bytes[16] = {};
  std::copy_n(rest.data() + (first == 0), more + (first != 0), bytes);
  number = llvm::support::endian::read64le(bytes);
  if (first != 0 && more < 7)
    number >>= more + 1;
  else if (first != 0) // 7 bytes behind one that is all length
    number >>= 8;
  rest = rest.drop_front(more + 1);
  return true;
}

bool Cursor::readFlagged(uint64_t &number, bool &flag) {
  if (!readNumber(number))
    return false;
  flag = number & 1;
  number >>= 1;
  return true;
}

bool Cursor::skipNumbers(uint64_t count) {
  uint64_t ignored;
  for (uint64_t i = 0; i < count; ++i)
    if (!readNumber(ignored))
      return false;
  return true;
}

bool Cursor::skipString() {
  size_t end = rest.find('\0');
  if (end == llvm::StringRef::npos)
    return false;
  rest = rest.drop_front(end + 1);
  return true;
}

bool Cursor::readSection(uint8_t &id, llvm::StringRef &data) {
  uint64_t length, alignment = 1;
  if (!readByte(id) || !readNumber(length))
    return false;
  bool isAligned = id & 0x80;
  id &= 0x7f;
  if (isAligned && (!readNumber(alignment) || !llvm::isPowerOf2_64(alignment)))
    return false;
  uint8_t padding;
  while (reinterpret_cast<uintptr_t>(rest.data()) & (alignment - 1))
    if (!readByte(padding))
      return false;
  if (length > rest.size())
    return false;
  data = rest.take_front(length);
  rest = rest.drop_front(length);
  return true;
}

bool Scanner::checkCount(llvm::StringRef things, uint64_t count, uint64_t available) {
  if (count <= available)
    return true;
  problem = ("malformed bytecode: " + llvm::Twine(count) + " " + things + " in " +
             llvm::Twine(available) + (available == 1 ? " byte" : " bytes"))
                .str();
  return false;
}

bool Scanner::scanCounts(uint8_t section, llvm::StringRef data) {
  Cursor cursor(data);
  uint64_t count, types;
  switch (section) {
  case bytecode::Section::kString:
    return cursor.readNumber(count) && checkCount("strings", count, cursor.remaining());
  case bytecode::Section::kDialect:
    return cursor.readNumber(count) && checkCount("dialects", count, cursor.remaining());
  case bytecode::Section::kAttrTypeOffset:
    return cursor.readNumber(count) && cursor.readNumber(types) &&
           checkCount("attributes", count, cursor.remaining()) &&
           checkCount("types", types, cursor.remaining());
  case bytecode::Section::kResourceOffset:
    return cursor.readNumber(count) && checkCount("groups of resources", count, data.size());
  case bytecode::Section::kProperties:
    return cursor.readNumber(count) && checkCount("properties", count, cursor.remaining());
  default:
    return true;
  }
}

bool Scanner::scanUseLists(Cursor &cursor, uint64_t values) {
  uint64_t lists = 1, index, uses;
  bool asPairs;
  if (values > 1 && !cursor.readNumber(lists))
    return false;
  for (uint64_t i = 0; i < lists; ++i) {
    if ((values > 1 && !cursor.readNumber(index)) || !cursor.readFlagged(uses, asPairs) ||
        !checkCount("uses", uses, cursor.remaining()) || !cursor.skipNumbers(uses))
      return false;
  }
  return true;
}

bool Scanner::scanBlockHeader(Frame &frame) {
  Cursor &cursor = cursors[frame.cursor];
  bool hasArguments;
  if (!cursor.readFlagged(frame.operations, hasArguments))
    return false;
  if (!hasArguments)
    return true;
  uint64_t arguments, type;
  if (!cursor.readNumber(arguments) || !checkCount("arguments", arguments, cursor.remaining()))
    return false;
  for (uint64_t i = 0; i < arguments; ++i) {
    bool hasLocation = true;
    bool isElided = version >= bytecode::kElideUnknownBlockArgLocation;
    if (!(isElided ? cursor.readFlagged(type, hasLocation) : cursor.readNumber(type)) ||
        (hasLocation && !cursor.skipNumbers(1)))
      return false;
  }
  uint8_t hasUseLists = 0;
  if (version < bytecode::kUseListOrdering)
    return true;
  return cursor.readByte(hasUseLists) && (!hasUseLists || scanUseLists(cursor, arguments));
}

bool Scanner::scanRegion(Frame &frame) {
  Cursor &cursor = cursors[frame.cursor];
  uint64_t numBlocks, numValues;
  if (!cursor.readNumber(numBlocks))
    return false;
  if (numBlocks == 0)
    return true;
  if (!cursor.readNumber(numValues) || !checkCount("blocks", numBlocks, blocks) ||
      !checkCount("values", numValues, values))
    return false;
  blocks -= numBlocks;
  values -= numValues;
  frame.blocks = numBlocks;
  return true;
}

bool Scanner::scanOperation(Cursor &cursor, uint64_t &regions, bool &isIsolated) {
  using namespace bytecode::OpEncodingMask;
  uint8_t mask;
  uint64_t count, results = 0;
  // Its name, what it has, and its location.
  if (!cursor.skipNumbers(1) || !cursor.readByte(mask) || !cursor.skipNumbers(1))
    return false;
  if (((mask & kHasAttrs) && !cursor.skipNumbers(1)) ||
      ((mask & kHasProperties) && !cursor.skipNumbers(1)))
    return false;
  if ((mask & kHasResults) &&
      (!cursor.readNumber(results) || !checkCount("results", results, cursor.remaining()) ||
       !cursor.skipNumbers(results)))
    return false;
  for (auto [flag, things] : {std::pair(kHasOperands, "operands"), {kHasSuccessors, "successors"}})
    if ((mask & flag) &&
        (!cursor.readNumber(count) || !checkCount(things, count, cursor.remaining()) ||
         !cursor.skipNumbers(count)))
      return false;
  if ((mask & kHasUseListOrders) && !scanUseLists(cursor, results))
    return false;
  regions = 0;
  return !(mask & kHasInlineRegions) || (cursor.readFlagged(regions, isIsolated) &&
                                         checkCount("regions", regions, cursor.remaining()));
}

bool Scanner::scanIR(llvm::StringRef data) {
  cursors.push_back(Cursor(data));
  frames.push_back({0, 0, 1});
  while (!frames.empty()) {
    Frame &frame = frames.back();
    if (frame.operations > 0) {
      --frame.operations;
      uint64_t regions = 0;
      bool isIsolated = false;
      if (!scanOperation(cursors[frame.cursor], regions, isIsolated))
        return false;
      if (regions == 0)
        continue;
      if (frames.size() > kMaxNesting) {
        problem =
            "malformed bytecode: regions are nested deeper than " + std::to_string(kMaxNesting);
        return false;
      }
      size_t cursor = frame.cursor;
      if (isIsolated && version >= bytecode::kLazyLoading) {
        uint8_t id;
        llvm::StringRef section;
        if (!cursors[cursor].readSection(id, section) || id != bytecode::Section::kIR)
          return false;
        cursor = cursors.size();
        cursors.push_back(Cursor(section));
      }
      frames.push_back({cursor, regions});
    } else if (frame.blocks > 0) {
      --frame.blocks;
      if (!scanBlockHeader(frame))
        return false;
    } else if (frame.regions > 0) {
      --frame.regions;
      if (!scanRegion(frame))
        return false;
    } else {
      size_t cursor = frame.cursor;
      frames.pop_back();
      // One of its own ends with it.
      if (frames.empty() || frames.back().cursor != cursor)
        cursors.pop_back();
    }
  }
  return true;
}

bool Scanner::scanSections() {
  Cursor cursor(file.drop_front(std::min<size_t>(4, file.size())));
  if (!cursor.readNumber(version) || version > bytecode::kVersion || !cursor.skipString())
    return false;
  llvm::StringRef operations, data;
  uint8_t id;
  while (cursor.remaining() > 0) {
    if (!cursor.readSection(id, data) || !scanCounts(id, data))
      return false;
    if (id == bytecode::Section::kIR)
      operations = data;
  }
  return scanIR(operations);
}

Result<bool> Scanner::scan() {
  bool isWhole = scanSections();
  if (!problem.empty())
    return Error{problem};
  return isWhole;
}

Result<bool> forge::checkBytecodeSizes(llvm::StringRef bytecode) {
  return Scanner(bytecode).scan();
}
