#include "forge/Import/ModuleFile.h"

#include "Portable/JaxExport.h"

#include "llvm/Support/ConvertUTF.h"

using namespace forge;

/// What a file that is no module may be, by its first bytes.
static llvm::StringRef guessKind(llvm::StringRef bytes) {
  struct Kind {
    llvm::StringRef magic;
    llvm::StringRef name;
  };
  static constexpr Kind kinds[] = {{"\x7f"
                                    "ELF",
                                    "an object file"},
                                   {"\x93NUMPY", "an .npy file"},
                                   {"\x1f\x8b", "a gzip archive"},
                                   {"(\xb5/\xfd", "a zstd archive"},
                                   {"PK\x03\x04", "a zip archive"},
                                   {"BC\xc0\xde", "LLVM bitcode"},
                                   {"GGUF", "a GGUF checkpoint"},
                                   {"HloModule", "XLA HLO text"}};
  for (const Kind &kind : kinds)
    if (bytes.starts_with(kind.magic))
      return kind.name;
  return "";
}

static bool isText(llvm::StringRef bytes) {
  // A sample may end within a character; control characters other than white space are in no
  // text.
  llvm::StringRef sample = bytes.take_front(4096);
  for (unsigned char c : sample)
    if (c < ' ' && c != '\n' && c != '\t' && c != '\r' && c != '\f' && c != '\v')
      return false;
  return true;
}

Result<ModuleFormat> forge::detectModuleFormat(llvm::StringRef bytes) {
  if (bytes.starts_with("ML\xefR"))
    return ModuleFormat::Bytecode;
  llvm::StringRef kind = guessKind(bytes);
  if (kind.empty() && isText(bytes))
    return ModuleFormat::Text;
  if (kind.empty() && isJaxExport(bytes))
    return ModuleFormat::JaxExport;
  std::string guess = kind.empty() ? "" : " (looks like " + kind.str() + ")";
  return Error{"neither MLIR text, MLIR bytecode nor a jax.export file" + guess};
}

/// The text after the string literal that starts at the front of `text`.
static llvm::StringRef skipString(llvm::StringRef text) {
  for (size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\')
      ++i;
    else if (text[i] == '"')
      return text.drop_front(i + 1);
    else if (text[i] == '\n')
      return text.drop_front(i); // an error the parser reports
  }
  return "";
}

unsigned forge::nestingDepth(llvm::StringRef text) {
  unsigned depth = 0, deepest = 0;
  while (true) {
    size_t next = text.find_first_of("([{<)]}>\"/");
    if (next == llvm::StringRef::npos)
      return deepest;
    char c = text[next];
    bool isArrow = c == '>' && next > 0 && text[next - 1] == '-';
    text = text.drop_front(next);
    if (c == '"') {
      text = skipString(text);
      continue;
    }
    if (c == '/' && text.starts_with("//")) {
      text = text.drop_until([](char end) { return end == '\n'; });
      continue;
    }
    text = text.drop_front();
    if (llvm::StringRef("([{<").contains(c))
      deepest = std::max(deepest, ++depth);
    else if (c != '/' && !isArrow && depth > 0)
      --depth;
  }
}
