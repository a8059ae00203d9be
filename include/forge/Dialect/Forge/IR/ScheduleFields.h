// The fields that schedules have, and what may be written in them.
#ifndef FORGE_DIALECT_FORGE_IR_SCHEDULEFIELDS_H
#define FORGE_DIALECT_FORGE_IR_SCHEDULEFIELDS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace forge {

struct ScheduleField {
  enum class Kind { Size, Word, Flag, Sizes };

  llvm::StringLiteral name;
  Kind kind;
  /// Of sizes: the range of each.
  int64_t least = 0, most = 0;
  /// Of words: those that are allowed; none: any.
  llvm::ArrayRef<llvm::StringLiteral> words = {};
};

/// In the order in which they are printed.
llvm::ArrayRef<ScheduleField> scheduleFields();
/// Null if there is none of that name.
const ScheduleField *findScheduleField(llvm::StringRef name);

} // namespace forge

#endif // FORGE_DIALECT_FORGE_IR_SCHEDULEFIELDS_H
