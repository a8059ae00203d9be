#include "PageOptions.h"

using namespace forge;

void tool::PageOptions::addTo(CLI::App &app) {
  CLI::Option *pageSize =
      app.add_option("--page-size", size,
                     "Of a checkpoint's decoder: keep keys and values in pages of N tokens, which "
                     "the sequences share")
          ->check(CLI::Range(int64_t(1), int64_t(1) << 16))
          ->option_text("N");
  app.add_option("--pages", count, "How many; by default as many as all sequences can have")
      ->check(CLI::Range(int64_t(1), int64_t(1) << 30))
      ->needs(pageSize)
      ->option_text("N");
}
