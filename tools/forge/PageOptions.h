// Options of commands whose decoders may keep keys and values in pages.
#ifndef FORGE_TOOLS_FORGE_PAGEOPTIONS_H
#define FORGE_TOOLS_FORGE_PAGEOPTIONS_H

#include <CLI/CLI.hpp>

#include <cstdint>
#include <optional>

namespace forge::tool {

struct PageOptions {
  std::optional<int64_t> size;  ///< tokens of a page; contiguous caches without it
  std::optional<int64_t> count; ///< pages of all sequences

  void addTo(CLI::App &app);
};

} // namespace forge::tool

#endif // FORGE_TOOLS_FORGE_PAGEOPTIONS_H
