#include "CudnnApi.h"

using namespace forge;
using namespace forge::rt;
using namespace forge::rt::cudnn;

std::string Functions::errorText(const char *what, int status) const {
  std::string text = std::string(what) + ": " + statusName(status);
  char message[2048] = {};
  if (lastError)
    lastError(message, sizeof message);
  std::string more(message);
  while (!more.empty() && (more.back() == '\n' || more.back() == ' '))
    more.pop_back();
  for (char &c : more)
    if (c == '\n')
      c = ' ';
  return more.empty() ? text : text + " (" + more + ")";
}

Result<Functions> forge::rt::cudnn::findFunctions(const Library &library) {
  Functions found{};
  FunctionFinder finder(library);
  finder.require("cudnnCreate", found.create);
  finder.require("cudnnDestroy", found.destroy);
  finder.require("cudnnSetStream", found.setStream);
  finder.require("cudnnGetVersion", found.version);
  finder.require("cudnnGetErrorString", found.statusName);
  finder.find("cudnnGetLastErrorString", found.lastError);
  finder.require("cudnnBackendCreateDescriptor", found.createDescriptor);
  finder.require("cudnnBackendDestroyDescriptor", found.destroyDescriptor);
  finder.require("cudnnBackendFinalize", found.finalize);
  finder.require("cudnnBackendSetAttribute", found.set);
  finder.require("cudnnBackendGetAttribute", found.get);
  finder.require("cudnnBackendExecute", found.execute);
  if (!finder.missing().empty())
    return Error{library.name() + " has no " + finder.missing()};
  return found;
}
