// forge-bench-library: compiled modules whose work is one product, beside cuBLASLt called directly,
// in one process, interleaved.
//   forge-bench-library [--rounds=N] MODULE.so...
// Per module one line: what is multiplied, milliseconds of both (medians), the rate of the module,
// and the median of the ratios of neighbouring runs, direct over module: above 1, the module is
// faster.
#include "DirectProduct.h"
#include "forge/Loader/LoadedModule.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>

using namespace forge;
using namespace forge::bench;

static double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

static Result<std::vector<HostTensor>> drawInputs(const FunctionSignature &function) {
  std::mt19937 random(1);
  std::vector<HostTensor> tensors;
  for (const TensorSpec &spec : function.arguments) {
    Result<HostTensor> tensor = HostTensor::create(spec.type, spec.dims);
    if (!tensor)
      return tensor.error();
    std::vector<uint64_t> bits(4099);
    for (uint64_t &word : bits) {
      tensor->setDouble(0, 2 * (random() / 4294967296.0) - 1);
      word = tensor->getBits(0);
    }
    for (int64_t i = 0; i < tensor->numElements(); ++i)
      tensor->setBits(i, bits[static_cast<size_t>(i * 2741 % 4099)]);
    tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

/// The device time of one run, all its launches together; the description of its product, if the
/// library did it.
static Result<double> runModule(LoadedModule &module, std::string &product) {
  if (Result<void> done = module.runLoaded(); !done)
    return done.error();
  std::string report = module.timingReport();
  double sum = 0;
  for (size_t at = 0; at < report.size(); at = report.find('\n', at) + 1) {
    sum += std::strtod(report.c_str() + at, nullptr);
    size_t name = report.find('\t', at) + 1, end = report.find('\n', at);
    if (report.compare(name, 8, "product\t") == 0)
      product = report.substr(name + 8, end - name - 8);
  }
  return sum;
}

static Result<void> compare(const std::string &path, int rounds) {
  Result<LoadedModule> module = LoadedModule::load(path);
  if (!module)
    return module.error();
  Result<std::vector<HostTensor>> inputs = drawInputs(module->signature().function);
  if (!inputs)
    return inputs.error();
  if (Result<void> opened = module->openDevice(-1); !opened)
    return opened;
  std::vector<forge_tensor> views;
  for (HostTensor &input : *inputs)
    views.push_back(
        {dtypeName(input.type()).data(), input.rank(), input.dims().data(), input.data()});
  if (Result<void> done = module->loadInputs(views); !done)
    return done;
  module->setTiming(true);
  std::string product;
  if (Result<double> first = runModule(*module, product); !first)
    return first.error();
  if (product.empty())
    return Error{"the vendor's library did not do the product of this module"};
  Result<ProductSpec> spec = ProductSpec::parse(product);
  if (!spec)
    return spec.error();
  Result<std::unique_ptr<DirectProduct>> direct = createDirectProduct(*spec);
  if (!direct)
    return direct.error();
  std::vector<double> ours, theirs, ratios;
  // Warm up: clocks, caches, and the library's code.
  for (int round = -5; round < rounds; ++round) {
    // Who goes first changes.
    Result<double> peer = round % 2 ? (*direct)->run() : Result<double>(0.0);
    Result<double> mine = runModule(*module, product);
    if (round % 2 == 0)
      peer = (*direct)->run();
    if (!peer || !mine)
      return peer ? mine.error() : peer.error();
    if (round < 0)
      continue;
    ours.push_back(*mine);
    theirs.push_back(*peer);
    ratios.push_back(*peer / *mine);
  }
  double flops = 2.0 * double(spec->m) * double(spec->n) * double(spec->k);
  std::printf("%s\t%.4f\t%.4f\t%.1f\t%.3f\n", product.c_str(), median(ours), median(theirs),
              flops / median(ours) / 1e9, median(ratios));
  return {};
}

int main(int argc, char **argv) {
  int rounds = 41, status = 0;
  std::printf("product\tforge ms\tdirect ms\tforge TFLOP/s\tdirect / forge\n");
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], "--rounds=", 9) == 0) {
      rounds = std::max(1, std::atoi(argv[i] + 9));
      continue;
    }
    if (Result<void> done = compare(argv[i], rounds); !done) {
      std::fprintf(stderr, "forge-bench-library: error: %s: %s\n", argv[i],
                   done.error().message.c_str());
      status = 1;
    }
  }
  return status;
}
