// forge-bench-cpu: what compiled code takes on this machine, beside OpenBLAS and oneDNN in the same
// process.
#include "Compiled.h"

int main(int argc, char **argv) {
  forge::bench::registerMatmul();
  forge::bench::registerRows();
  forge::bench::registerModules();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv))
    return 2;
  benchmark::AddCustomContext("threads", std::to_string(forge::bench::numThreads()));
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
