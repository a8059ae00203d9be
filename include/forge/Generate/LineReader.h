// Lines of a file or of standard input, of bounded length. No MLIR.
#ifndef FORGE_GENERATE_LINEREADER_H
#define FORGE_GENERATE_LINEREADER_H

#include "forge/Support/Result.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace forge {

class LineReader {
public:
  /// "-" is standard input. Errors start with the path.
  static Result<LineReader> open(const std::string &path);

  /// The next line, without its end; none at the end of the file. Fails on a line of more than
  /// 16 MiB, with its number.
  Result<std::optional<std::string>> next();
  /// Of the line that was read last, from 1 on.
  size_t number() const { return count; }
  /// Whether somebody types the lines.
  bool isTerminal() const;

private:
  struct Close {
    void operator()(FILE *file) const;
  };
  LineReader(std::string path, FILE *file) : path(std::move(path)), file(file) {}

  std::string path;
  std::unique_ptr<FILE, Close> file;
  size_t count = 0;
};

} // namespace forge

#endif // FORGE_GENERATE_LINEREADER_H
