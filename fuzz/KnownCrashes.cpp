#include "KnownCrashes.h"

#include "llvm/ADT/StringExtras.h"

/// Whether `text` holds `array<index`, with spaces between its words or not.
static bool hasArrayOfIndices(llvm::StringRef text) {
  for (size_t place = text.find("array"); place != llvm::StringRef::npos;
       place = text.find("array", place + 1)) {
    llvm::StringRef rest = text.drop_front(place + 5).ltrim();
    if (rest.consume_front("<") && rest.ltrim().starts_with("index"))
      return true;
  }
  return false;
}

/// Whether `text` holds the number of a result of seven digits or more.
static bool hasHugeResultNumber(llvm::StringRef text) {
  for (size_t place = text.find('#'); place != llvm::StringRef::npos;
       place = text.find('#', place + 1))
    if (text.drop_front(place + 1).take_while(llvm::isDigit).size() >= 7)
      return true;
  return false;
}

bool forge::fuzz::crashesMLIR(llvm::StringRef text) {
  return text.contains("linalg.") || hasArrayOfIndices(text) || hasHugeResultNumber(text);
}
