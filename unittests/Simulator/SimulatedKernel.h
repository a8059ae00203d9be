// A kernel from text, on a simulated chip, with buffers of the test.
#ifndef FORGE_UNITTESTS_SIMULATOR_SIMULATEDKERNEL_H
#define FORGE_UNITTESTS_SIMULATOR_SIMULATEDKERNEL_H

#include "forge/Simulator/Driver.h"
#include "forge/Simulator/Module.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace forge::test {

class SimulatedKernel {
public:
  /// `text` is a module with one kernel.
  SimulatedKernel(const std::string &text, const std::string &chip) : machine(*sim::chipOf(chip)) {
    mlir::DialectRegistry registry;
    sim::registerDialects(registry);
    mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
    auto parsed = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    if (!parsed) {
      ADD_FAILURE() << "cannot parse:\n" << text;
      return;
    }
    Result<std::unique_ptr<sim::Module>> compiled =
        sim::Module::compile(*parsed, machine.chip().warpSize);
    if (!compiled)
      ADD_FAILURE() << compiled.error().message;
    else
      module = std::move(*compiled);
  }

  /// Device memory with these bytes.
  template <typename T> void *upload(const std::vector<T> &values) {
    Result<void *> memory = machine.allocate(values.size() * sizeof(T));
    EXPECT_TRUE(bool(memory));
    EXPECT_TRUE(bool(machine.write(*memory, values.data(), values.size() * sizeof(T))));
    return *memory;
  }
  /// Device memory that nothing was written to.
  void *allocate(uint64_t bytes) {
    Result<void *> memory = machine.allocate(bytes);
    EXPECT_TRUE(bool(memory));
    return *memory;
  }
  template <typename T> std::vector<T> download(void *memory, size_t count) {
    std::vector<T> values(count);
    EXPECT_TRUE(bool(machine.read(values.data(), memory, count * sizeof(T))));
    return values;
  }

  /// Launches with pointers to the argument values; the finding's text, or nothing.
  std::string launch(const sim::LaunchConfig &config, std::vector<void *> arguments) {
    if (!module)
      return "no module";
    const sim::Kernel &kernel = module->kernels().begin()->second;
    EXPECT_EQ(kernel.arguments.size(), arguments.size());
    std::optional<sim::Finding> finding = machine.launch(kernel, config, arguments.data());
    return finding ? finding->str() : "";
  }

  sim::Machine machine;

private:
  std::unique_ptr<sim::Module> module;
};

} // namespace forge::test

#endif // FORGE_UNITTESTS_SIMULATOR_SIMULATEDKERNEL_H
