#include "Machine.h"

#include "Command.h"

#include "forge/Runtime/DeviceRegistry.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <fstream>
#include <thread>

#include <dlfcn.h>
#include <unistd.h>

using namespace forge;
using namespace forge::tool;

/// The value of the first line "key : value" of a file under /proc.
static std::string procValue(const char *path, llvm::StringRef key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    auto [name, value] = llvm::StringRef(line).split(':');
    if (name.trim() == key)
      return value.trim().str();
  }
  return "";
}

static Finding examineProcessor() {
  std::string model = procValue("/proc/cpuinfo", "model name");
  if (model.empty())
    model = llvm::sys::getHostCPUName().str();
  return {"processor", true,
          model + ", " + std::to_string(std::thread::hardware_concurrency()) +
              " hardware threads, LLVM calls it " + llvm::sys::getHostCPUName().str(),
          "", ""};
}

/// Those of the host's features that decide how code is generated.
static Finding examineFeatures() {
  std::string list;
  const llvm::StringMap<bool> features = llvm::sys::getHostCPUFeatures();
  for (const char *name :
       {"avx2", "fma", "f16c", "avx512f", "avx512vl", "avx512bw", "avx512vnni", "avx512bf16",
        "avx512fp16", "amx-tile", "amx-bf16", "amx-int8", "neon", "bf16", "i8mm", "sve"})
    if (auto it = features.find(name); it != features.end() && it->second)
      list += (list.empty() ? "" : " ") + std::string(name);
  bool fast = features.lookup("fma") || features.lookup("neon");
  return {"vector units", fast, list.empty() ? "none that Forge uses" : list,
          "fast matrix multiplication", "a processor with AVX2 and FMA, or NEON"};
}

static Finding examineCaches() {
  auto size = [](int name) {
    long bytes = sysconf(name);
    if (bytes <= 0)
      return std::string("unknown");
    return bytes >= 1 << 20 ? std::to_string(bytes >> 20) + " MiB"
                            : std::to_string(bytes >> 10) + " KiB";
  };
  return {"caches", true,
          "L1 " + size(_SC_LEVEL1_DCACHE_SIZE) + ", L2 " + size(_SC_LEVEL2_CACHE_SIZE) + ", L3 " +
              size(_SC_LEVEL3_CACHE_SIZE),
          "", ""};
}

static Finding examineMemory() {
  return {"memory", true,
          procValue("/proc/meminfo", "MemTotal") + ", " +
              procValue("/proc/meminfo", "MemAvailable") + " available",
          "", ""};
}

static Finding examineCompiler() {
  llvm::InitializeAllTargetInfos();
  std::string targets;
  for (const llvm::Target &target : llvm::TargetRegistry::targets())
    for (llvm::StringRef wanted : {"x86-64", "aarch64", "nvptx64", "amdgcn"})
      if (target.getName() == wanted)
        targets += (targets.empty() ? "" : " ") + wanted.str();
  return {"compiler", true, versionText() + ", LLVM targets: " + targets, "", ""};
}

/// A program, in PATH or in LLVM's own folder.
static Finding examineProgram(const char *name, std::vector<llvm::StringRef> spellings,
                              const char *purpose, const char *remedy) {
  std::string tried;
  for (llvm::StringRef spelling : spellings) {
    auto found = llvm::sys::findProgramByName(spelling);
    if (!found)
      found = llvm::sys::findProgramByName(
          spelling, {"/usr/lib/llvm-22/bin", "/usr/local/cuda/bin", "/opt/rocm/bin"});
    if (found)
      return {name, true, *found, purpose, remedy};
    tried += (tried.empty() ? "" : ", ") + spelling.str();
  }
  return {name, false, "looked for " + tried, purpose, remedy};
}

/// A shared library the runtime opens with dlopen.
static Finding examineLibrary(const char *name, std::vector<const char *> spellings,
                              const char *purpose, const char *remedy) {
  std::string tried;
  for (const char *spelling : spellings) {
    if (void *library = dlopen(spelling, RTLD_LAZY | RTLD_LOCAL)) {
      dlclose(library);
      return {name, true, spelling, purpose, remedy};
    }
    tried += (tried.empty() ? "" : ", ") + std::string(spelling);
  }
  return {name, false, "looked for " + tried, purpose, remedy};
}

static std::string gibibytes(size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GiB", static_cast<double>(bytes) / (size_t(1) << 30));
  return text;
}

/// A driver of the runtime, and its devices.
static void examineDriver(const char *name, const char *title, const char *remedy,
                          std::vector<Finding> &findings) {
  std::string purpose = "target " + std::string(name);
  Result<rt::Driver *> driver = rt::getDriver(name);
  if (!driver) {
    findings.push_back({title, false, driver.error().message, purpose, remedy});
    return;
  }
  findings.push_back({title, true, (*driver)->description(), purpose, remedy});
  for (int i = 0; i < (*driver)->numDevices(); ++i) {
    Result<rt::DeviceProperties> facts = (*driver)->propertiesOf(i);
    std::string device = std::string(name) + " device " + std::to_string(i);
    if (!facts) {
      findings.push_back({device, false, facts.error().message, purpose, remedy});
      continue;
    }
    findings.push_back({device, true,
                        facts->name + ", " + facts->chip + ", " +
                            std::to_string(facts->multiprocessors) + " multiprocessors of " +
                            std::to_string(facts->sharedMemoryPerMultiprocessor >> 10) +
                            " KiB, warps of " + std::to_string(facts->warpSize) + ", " +
                            gibibytes(facts->memoryBytes),
                        purpose, ""});
  }
}

std::vector<Finding> tool::examineMachine() {
  std::vector<Finding> findings = {
      examineProcessor(),
      examineFeatures(),
      examineCaches(),
      examineMemory(),
      examineCompiler(),
      examineProgram("lld", {"ld.lld-22", "ld.lld"},
                     "target hip, code objects; and faster builds of Forge", "apt install lld-22"),
      examineProgram("C++ compiler", {"clang++-22", "clang++", "g++", "c++"},
                     "linking shared objects (forge compile -o model.so)", "apt install g++"),
  };
  examineDriver("cuda", "CUDA driver",
                "apt install libcuda1 (Debian non-free) on a machine with an NVIDIA GPU", findings);
  findings.push_back(examineProgram("ptxas", {"ptxas"},
                                    "target cuda, compiling ahead of time and kernel resources",
                                    "apt install nvidia-cuda-toolkit (Debian non-free)"));
  findings.push_back(examineLibrary(
      "cuBLASLt", {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"},
      "target cuda, tier production", "apt install libcublaslt11 (Debian non-free)"));
  examineDriver("hip", "HIP runtime",
                "apt install libamdhip64-5 on a machine with an AMD GPU, or ROCm from AMD",
                findings);
  findings.push_back(examineLibrary("hipBLASLt",
                                    {"libhipblaslt.so.1", "libhipblaslt.so.0", "libhipblaslt.so"},
                                    "target hip, tier production", "install ROCm from AMD"));
  findings.push_back(examineLibrary("FFTW of f32", {"libfftw3f.so.3", "libfftw3f.so"},
                                    "Fourier transforms on target cpu, tier hybrid",
                                    "apt install libfftw3-single3"));
  findings.push_back(examineLibrary("FFTW of f64", {"libfftw3.so.3", "libfftw3.so"},
                                    "Fourier transforms on target cpu, tier hybrid",
                                    "apt install libfftw3-double3"));
  findings.push_back(examineLibrary("OpenBLAS", {"libopenblas.so.0"}, "comparisons on target cpu",
                                    "apt install libopenblas-dev"));
  findings.push_back(examineLibrary("oneDNN", {"libdnnl.so.2", "libdnnl.so.3"},
                                    "comparisons on target cpu", "apt install libdnnl-dev"));
  findings.push_back(
      examineLibrary("libcurl", {"libcurl.so.4"}, "forge tune --propose", "apt install libcurl4"));
  return findings;
}
