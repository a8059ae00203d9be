#include "FakeState.h"

#include <cstdlib>
#include <cstring>
#include <iterator>

namespace fake {

int beginCapture(void *handle) {
  Stream *stream = asStream(handle);
  if (!stream || stream->capturing)
    return InvalidValue;
  stream->capturing = true;
  stream->invalidated = false;
  stream->captured.clear();
  return device().error;
}

int endCapture(void *handle, void **graph) {
  Stream *stream = asStream(handle);
  if (!stream || !stream->capturing)
    return InvalidValue;
  stream->capturing = false;
  if (stream->invalidated)
    return CaptureInvalidated;
  *graph = new Graph{std::move(stream->captured)};
  return device().error;
}

int graphGetNodes(void *graph, size_t *count) {
  *count = static_cast<Graph *>(graph)->nodes.size();
  return Success;
}

int graphInstantiate(void **executable, void *graph) {
  *executable = new Graph(*static_cast<Graph *>(graph));
  return device().error;
}

int graphLaunch(void *executable, void *stream) {
  for (const Work &node : static_cast<Graph *>(executable)->nodes)
    if (int code = enqueue(stream, node))
      return code;
  return Success;
}

int graphDestroy(void *graph) {
  delete static_cast<Graph *>(graph);
  return Success;
}
int graphExecDestroy(void *executable) {
  // A graph may be destroyed while it runs; its work was copied.
  return graphDestroy(executable);
}

} // namespace fake
