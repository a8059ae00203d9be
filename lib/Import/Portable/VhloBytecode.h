// What reads the bytecode of types and attributes of the vhlo dialect.
#ifndef FORGE_LIB_IMPORT_PORTABLE_VHLOBYTECODE_H
#define FORGE_LIB_IMPORT_PORTABLE_VHLOBYTECODE_H

#include "mlir/Bytecode/BytecodeImplementation.h"

namespace forge {

/// Reads the number of items, then `readItem` for each. Unlike DialectBytecodeReader::readList, no
/// memory is taken for the number before the items are there.
inline mlir::LogicalResult readEach(mlir::DialectBytecodeReader &reader,
                                    llvm::function_ref<mlir::LogicalResult()> readItem) {
  uint64_t count;
  if (failed(reader.readVarInt(count)))
    return mlir::failure();
  for (uint64_t i = 0; i < count; ++i)
    if (failed(readItem()))
      return mlir::failure();
  return mlir::success();
}

inline mlir::LogicalResult readInts(mlir::DialectBytecodeReader &reader,
                                    llvm::SmallVectorImpl<int64_t> &values) {
  return readEach(reader, [&] { return reader.readSignedVarInt(values.emplace_back()); });
}

inline mlir::LogicalResult readTypes(mlir::DialectBytecodeReader &reader,
                                     llvm::SmallVectorImpl<mlir::Type> &types) {
  return readEach(reader, [&] { return reader.readType(types.emplace_back()); });
}

inline mlir::LogicalResult readAttributes(mlir::DialectBytecodeReader &reader,
                                          llvm::SmallVectorImpl<mlir::Attribute> &attributes) {
  return readEach(reader, [&] { return reader.readAttribute(attributes.emplace_back()); });
}

/// Both give null where the bytes are not what the encoding asks for, with a diagnostic unless the
/// bytecode reader gave one, or wants to come back later.
mlir::Type readVhloType(mlir::DialectBytecodeReader &reader);
mlir::Attribute readVhloAttribute(mlir::DialectBytecodeReader &reader);

} // namespace forge

#endif // FORGE_LIB_IMPORT_PORTABLE_VHLOBYTECODE_H
