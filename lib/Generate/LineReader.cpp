#include "forge/Generate/LineReader.h"

#include "forge/Support/CommandLine.h"

#include <cerrno>
#include <cstring>

#include <unistd.h>

using namespace forge;

void LineReader::Close::operator()(FILE *file) const {
  if (file != stdin)
    (void)std::fclose(file);
}

Result<LineReader> LineReader::open(const std::string &path) {
  if (path == "-")
    return LineReader("standard input", stdin);
  if (Result<void> readable = checkReadable(path); !readable)
    return readable.error();
  FILE *file = std::fopen(path.c_str(), "r");
  if (!file)
    return Error{path + ": cannot read: " + std::strerror(errno)};
  return LineReader(path, file);
}

Result<std::optional<std::string>> LineReader::next() {
  constexpr size_t most = size_t(16) << 20;
  std::string line;
  int c = std::getc(file.get());
  for (; c != EOF && c != '\n'; c = std::getc(file.get())) {
    if (line.size() == most)
      return Error{path + ", line " + std::to_string(count + 1) + ": expected at most " +
                   std::to_string(most) + " bytes"};
    line += static_cast<char>(c);
  }
  if (std::ferror(file.get()))
    return Error{path + ": cannot read: " + std::strerror(errno)};
  if (c == EOF && line.empty())
    return std::optional<std::string>();
  ++count;
  if (line.ends_with('\r'))
    line.pop_back();
  return std::optional(std::move(line));
}

bool LineReader::isTerminal() const { return isatty(fileno(file.get())) != 0; }
