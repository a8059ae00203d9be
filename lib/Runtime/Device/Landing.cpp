#include "forge/Runtime/Landing.h"

#include <algorithm>

using namespace forge;
using namespace forge::rt;

Result<std::unique_ptr<Landing>> Landing::create(Device &device, size_t bytes) {
  Result<std::unique_ptr<Event>> event = device.createEvent(/*timed=*/false);
  if (!event)
    return event.error();
  std::unique_ptr<Landing> made(new Landing(device, std::move(*event)));
  if (bytes == 0)
    return made;
  Result<void *> memory = device.allocateHost(bytes);
  if (!memory)
    return memory.error();
  made->data = *memory;
  made->bytes = bytes;
  return made;
}

Landing::~Landing() {
  if (data && !owner.isLost() && isFor(owner))
    (void)owner.releaseHost(data);
}

Result<std::unique_ptr<Landing>> Landings::take(Device &device, size_t bytes) {
  std::erase_if(unused, [&](const std::unique_ptr<Landing> &of) { return !of->isFor(device); });
  auto found = std::ranges::find_if(
      unused, [&](const std::unique_ptr<Landing> &of) { return of->numBytes() >= bytes; });
  if (found == unused.end())
    return Landing::create(device, bytes);
  std::unique_ptr<Landing> taken = std::move(*found);
  unused.erase(found);
  return taken;
}
