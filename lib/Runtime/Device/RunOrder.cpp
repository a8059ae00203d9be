#include "forge/Runtime/RunOrder.h"

using namespace forge;
using namespace forge::rt;

Result<void> RunOrder::follow(Stream &stream) {
  std::lock_guard<std::mutex> lock(mutex);
  if (!end || last == &stream)
    return {};
  if (generation == stream.device().generation())
    return stream.wait(*end);
  end.reset();
  return {};
}

void RunOrder::begun(Stream &stream, std::shared_ptr<Event> of) {
  std::lock_guard<std::mutex> lock(mutex);
  last = &stream;
  end = std::move(of);
  generation = stream.device().generation();
}
