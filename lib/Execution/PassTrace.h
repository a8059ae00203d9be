// Which pass runs on which operation, for what is said when one fails or crashes.
#ifndef FORGE_LIB_EXECUTION_PASSTRACE_H
#define FORGE_LIB_EXECUTION_PASSTRACE_H

#include "forge/Support/ErrorDetails.h"
#include "forge/Support/Trace.h"

#include "mlir/IR/Operation.h"
#include "mlir/Pass/PassInstrumentation.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace forge {

/// A location as text, without the quotes and wrappings that MLIR prints.
std::string locationText(mlir::Location location);

/// What the trace of a pass manager has seen; outlives it.
class PassTrace {
public:
  /// What to add to the pass manager.
  std::unique_ptr<mlir::PassInstrumentation> instrumentation();

  /// The innermost pass that failed, and on what ("pass forge-x on func.func @main"); empty: none.
  const std::string &failed() const { return failedPass; }
  /// Of what that was on, where it is a kernel.
  const ErrorDetails &failedOn() const { return failedDetails; }
  /// Of what the innermost pass in this thread runs on, where it is a kernel.
  ErrorDetails runningOn();
  /// The pass that began and did not end: it crashed; empty: none.
  std::string crashed() const;

private:
  class Instrumentation;

  const std::thread::id maker = std::this_thread::get_id();
  std::mutex mutex;
  /// The thread of the first pass.
  std::thread::id first;
  std::string failedPass;
  ErrorDetails failedDetails;
  /// A pass that runs, and what the thread's note was before.
  struct Running {
    std::string pass, noteBefore;
    mlir::Operation *op;
    TraceSpan span;
  };
  /// In each thread, outermost first.
  std::map<std::thread::id, std::vector<Running>> running;
};

} // namespace forge

#endif // FORGE_LIB_EXECUTION_PASSTRACE_H
