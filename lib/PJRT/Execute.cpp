#include "Executable.h"

#include <exception>

using namespace forge;
using namespace forge::pjrt;

namespace {
/// One run: what it reads and writes, kept until it is done.
struct Run {
  std::shared_ptr<CompiledProgram> program;
  std::vector<std::shared_ptr<Contents>> arguments;
  /// Per argument: compiled code may overwrite it, but others still read it.
  std::vector<bool> copied;
  std::vector<std::shared_ptr<Contents>> results;
  std::shared_ptr<Completion> done = std::make_shared<Completion>();

  std::optional<Failure> run();
  void operator()();
};
} // namespace

std::optional<Failure> Run::run() {
  std::vector<std::unique_ptr<forge_buffer, ForgeDelete>> copies;
  std::vector<forge_buffer *> buffers;
  for (size_t i = 0; i < arguments.size(); ++i) {
    // What computes it is before this in the queue, or in that of another device.
    if (std::optional<Failure> failure = arguments[i]->ready->wait())
      return failure;
    forge_buffer *buffer = arguments[i]->tensor.get();
    if (copied[i]) {
      forge_buffer *copy = nullptr;
      if (forge_error *error = forge_buffer_copy(buffer, &copy))
        return takeFailure(error);
      copies.emplace_back(copy);
      buffer = copy;
    }
    buffers.push_back(buffer);
  }
  std::vector<forge_buffer *> made(results.size());
  if (forge_error *error = forge_executable_run_buffers(
          program->code.get(), buffers.data(), static_cast<int64_t>(buffers.size()), made.data(),
          static_cast<int64_t>(made.size())))
    return takeFailure(error);
  for (size_t i = 0; i < made.size(); ++i)
    results[i]->tensor.reset(made[i]);
  return std::nullopt;
}

void Run::operator()() {
  std::optional<Failure> failure;
  try {
    failure = run();
  } catch (const std::exception &) { // in the queue's thread it would end the process
    failure = takeException();
  }
  arguments.clear();
  for (const std::shared_ptr<Contents> &result : results)
    result->ready->finish(failure);
  done->finish(failure);
}

static bool isKept(const ExecuteOptions *options, size_t argument) {
  for (size_t i = 0; options && i < options->num_non_donatable_input_indices; ++i)
    if (options->non_donatable_input_indices[i] == static_cast<int64_t>(argument))
      return true;
  return false;
}

/// Fails unless each buffer is one of the program's device, and there.
static Error *takeArguments(Run &run, const ExecuteOptions *options, Buffer *const *buffers,
                            size_t count) {
  const CompiledProgram &program = *run.program;
  if (count != program.numArguments)
    return fail(InvalidArgument, "expected " + std::to_string(program.numArguments) +
                                     (program.numArguments == 1 ? " argument" : " arguments") +
                                     ", but got " + std::to_string(count));
  for (size_t i = 0; i < count; ++i) {
    std::shared_ptr<Contents> contents = buffers[i]->get();
    std::string what = "argument " + std::to_string(i) + ": ";
    if (!contents)
      return fail(InvalidArgument, what + "the buffer was deleted, or donated to a computation");
    if (buffers[i]->device != program.device)
      return fail(InvalidArgument, what + "expected a buffer on " +
                                       program.device->description.text + ", but got one on " +
                                       buffers[i]->device->description.text);
    bool written = forge_executable_donates(program.code.get(), static_cast<int64_t>(i));
    run.copied.push_back(written && (isKept(options, i) || contents->externalReferences > 0));
    run.arguments.push_back(std::move(contents));
  }
  // A buffer that is given away is given once.
  for (size_t i = 0; i < count; ++i) {
    if (!forge_executable_donates(program.code.get(), static_cast<int64_t>(i)) || run.copied[i])
      continue;
    for (size_t j = 0; j < count; ++j)
      if (j != i && run.arguments[j] == run.arguments[i])
        return fail(InvalidArgument, "argument " + std::to_string(i) +
                                         ": the buffer is donated, but is also argument " +
                                         std::to_string(j));
  }
  for (size_t i = 0; i < count; ++i)
    if (forge_executable_donates(program.code.get(), static_cast<int64_t>(i)) &&
        !isKept(options, i))
      buffers[i]->take();
  return nullptr;
}

Error *pjrt::LoadedExecutable_Execute(LoadedExecutable_Execute_Args *args) {
  if (!args->executable->program)
    return fail(FailedPrecondition, "the executable was deleted");
  if (args->num_devices != 1)
    return fail(Unimplemented, "expected one device, but got " + std::to_string(args->num_devices));
  Run run{args->executable->program, {}, {}, {}};
  if (Error *error = takeArguments(run, args->options, args->argument_lists[0], args->num_args))
    return error;
  for (size_t i = 0; i < run.program->results.size(); ++i) {
    const Result &result = run.program->results[i];
    auto *buffer = new Buffer(*run.program->device, *result.type, result.dims);
    run.results.push_back(buffer->contents);
    args->output_lists[0][i] = buffer;
  }
  if (args->device_complete_events)
    args->device_complete_events[0] = new Event{run.done};
  DeviceQueue &queue = run.program->device->queue;
  DeviceQueue::Cost cost = run.program->cost;
  queue.submit(std::move(run), cost);
  return nullptr;
}
