#include "DnnFixture.h"

using namespace forge;
using namespace forge::test;

int64_t DnnTest::Operand::offsetOf(const Index &index) const {
  int64_t offset = 0;
  for (size_t i = 0; i < index.size(); ++i)
    offset += index[i] * tensor.strides[i];
  return offset;
}

void DnnTest::SetUp() {
  DeviceTest::SetUp();
  if (IsSkipped() || HasFatalFailure())
    return;
  if (device->driverName() != "cuda")
    GTEST_SKIP() << "cuDNN is for cuda";
  auto made = rt::createCudnn(device);
  if (!made)
    GTEST_SKIP() << made.error().message;
  library = std::move(*made);
}

void DnnTest::TearDown() {
  library.reset();
  DeviceTest::TearDown();
}

std::vector<DnnTest::Operand> DnnTest::draw(const rt::DnnCall &call) {
  static const DType types[] = {DType::F32,      DType::F16,    DType::BF16,
                                DType::F8E4M3FN, DType::F8E5M2, DType::F64};
  std::vector<Operand> operands;
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const rt::DnnTensor &tensor : rt::tensorsOf(call)) {
    int64_t count = tensor.elements();
    HostTensor memory = std::move(*HostTensor::create(types[tensor.type], {count}));
    for (int64_t i = 0; i < count && !tensor.isWritten; ++i)
      memory.setDouble(i, uniform(random));
    operands.push_back({tensor, std::move(memory)});
  }
  return operands;
}

void DnnTest::run(const rt::DnnCall &call, std::vector<Operand> &operands) {
  std::vector<void *> pointers;
  for (const Operand &operand : operands) {
    const char *data = operand.memory.dataAs<char>();
    pointers.push_back(upload(std::vector<char>(data, data + operand.memory.numBytes())));
  }
  ASSERT_OK(library->run(*stream, call, pointers));
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i].tensor.isWritten) {
      HostTensor &memory = operands[i].memory;
      ASSERT_OK(stream->copyToHost(memory.data(), pointers[i], memory.numBytes()));
    }
  ASSERT_OK(stream->synchronize());
}
