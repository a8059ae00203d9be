// The drivers of ForgeRuntime in the conformance suite.
#include "Conformance.h"
#include "PTXKernels.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace forge;
using namespace forge::test;

/// A file beside this program, where the build (and scripts/gpu-pack) puts it.
static Result<std::string> readBesideProgram(const std::string &name) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  path.replace_filename(name);
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error{"cannot read " + path.string()};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

static ConformanceTarget cpuTarget() {
  ConformanceTarget target;
  target.target = target.name = "cpu";
  target.kernels = [](const rt::DeviceProperties &) {
    return readBesideProgram("device-test-kernels.so");
  };
  return target;
}

static ConformanceTarget cudaTarget() {
  ConformanceTarget target;
  target.target = target.name = "cuda";
  target.kernels = [](const rt::DeviceProperties &device) {
    return ptxKernels(/*waiting=*/device.chip == "sm_90a");
  };
  // NVIDIA's own driver does not open the device again in that process (H200, CUDA 13.0), whatever
  // is reset; the stand-in behaves as its documentation says.
  target.survivesBadStore = std::getenv("FORGE_TEST_STAND_IN") != nullptr;
  return target;
}

static ConformanceTarget hipTarget() {
  ConformanceTarget target;
  target.target = target.name = "hip";
  target.kernels = [](const rt::DeviceProperties &device) {
    return readBesideProgram("device-test-kernels-" + device.chip + ".hsaco");
  };
  target.countsArguments = false;
  return target;
}

static AddConformanceTarget addCPU(cpuTarget()), addCUDA(cudaTarget()), addHIP(hipTarget());
