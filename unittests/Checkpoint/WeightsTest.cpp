#include "forge/Checkpoint/Weights.h"

#include "SafetensorsText.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/Npy.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

using namespace forge;

/// A folder with m.safetensors: "w" of tensor<2xi32>, "t" of tensor<2xi1>, neither a truth value.
static ScratchFolder makeFolder() {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-weights"));
  std::string bytes = safetensorsText(R"({"w":{"dtype":"I32","shape":[2],"data_offsets":[0,8]},)"
                                      R"("t":{"dtype":"BOOL","shape":[2],"data_offsets":[8,10]}})",
                                      10);
  EXPECT_TRUE(writeFileAtomically(folder.file("m.safetensors"), bytes));
  return folder;
}

TEST(Weights, AreBetweenInputs) {
  ScratchFolder folder = makeFolder();
  FunctionSignature signature{
      "f", {{DType::I8, {}}, {DType::I32, {2}}, {DType::I16, {}}}, {}, {false, true, true}};
  std::vector<std::optional<WeightSource>> sources = {
      std::nullopt, WeightSource{"m.safetensors", "w"}, std::nullopt};
  FunctionSignature others = withoutWeights(signature, sources);
  ASSERT_EQ(others.arguments.size(), 2u);
  EXPECT_EQ(others.arguments[1].type, DType::I16);
  EXPECT_EQ(others.donated, std::vector<bool>({false, true}));
  std::vector<HostTensor> inputs;
  for (const TensorSpec &spec : others.arguments)
    inputs.push_back(*HostTensor::create(spec.type, spec.dims));
  WeightFiles files({folder.path()});
  Result<std::vector<HostTensor>> arguments =
      withWeights(signature, sources, std::move(inputs), files);
  ASSERT_TRUE(arguments) << arguments.error().message;
  ASSERT_TRUE(checkInputs(signature, *arguments));
  EXPECT_EQ((*arguments)[1].getBits(0), 0x03020100u);
  EXPECT_EQ((*arguments)[1].getBits(1), 0x07060504u);
}

TEST(Weights, AreFoundInAnotherFolder) {
  ScratchFolder folder = makeFolder();
  WeightFiles files({"/nowhere", folder.path()});
  EXPECT_TRUE(files.load({"some/where/m.safetensors", "w"}, {DType::I32, {2}}));
  EXPECT_TRUE(files.load({"m.safetensors", "w"}, {DType::I32, {TensorSpec::dynamic}}));
}

// An .npy file has one tensor, of any name, and f4 stands for what NumPy lacks.
TEST(Weights, AreInNpyFiles) {
  ScratchFolder folder = makeFolder();
  HostTensor values = *HostTensor::create(DType::F32, {2, 1});
  values.dataAs<float>()[0] = 1.5f;
  values.dataAs<float>()[1] = -2.0f;
  std::filesystem::create_directory(folder.file("data"));
  ASSERT_TRUE(writeNpy(folder.file("data/w"), values));
  WeightFiles files({folder.path()}), elsewhere({"/nowhere", folder.path()});
  for (WeightFiles *source : {&files, &elsewhere}) {
    Result<HostTensor> loaded = source->load({"data/w", "w"}, {DType::BF16, {2, 1}});
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->getBits(0), 0x3fc0u);
    EXPECT_EQ(loaded->getBits(1), 0xc000u);
  }
  EXPECT_FALSE(files.load({"data/w", "w"}, {DType::F32, {1, 2}}));
  EXPECT_FALSE(files.load({"data/w", "w"}, {DType::I32, {2, 1}}));
}

TEST(Weights, MustBeAsTheFunctionWantsThem) {
  ScratchFolder folder = makeFolder();
  WeightFiles files({folder.path()});
  auto problem = [&](const WeightSource &source, const TensorSpec &spec) {
    Result<HostTensor> loaded = files.load(source, spec);
    std::string message = loaded ? "" : loaded.error().message;
    size_t at = message.find("m.safetensors: ");
    return at == std::string::npos ? message : message.substr(at);
  };
  EXPECT_EQ(problem({"m.safetensors", "w"}, {DType::F32, {2}}),
            "m.safetensors: tensor 'w': expected tensor<2xf32>, but got tensor<2xi32>");
  EXPECT_EQ(problem({"m.safetensors", "w"}, {DType::I32, {2, 1}}),
            "m.safetensors: tensor 'w': expected tensor<2x1xi32>, but got tensor<2xi32>");
  EXPECT_EQ(problem({"m.safetensors", "v"}, {DType::I32, {2}}),
            "m.safetensors: tensor 'v': expected tensor<2xi32>, but the file has no such tensor");
  EXPECT_EQ(problem({"m.safetensors", "t"}, {DType::I1, {2}}),
            "m.safetensors: tensor 't': expected truth values 0 and 1, but got 8");
  EXPECT_EQ(problem({"n", "w"}, {DType::I32, {2}}),
            folder.path() + "/n: cannot open: No such file or directory");
  EXPECT_EQ(problem({".", "w"}, {DType::I32, {2}}), folder.path() + "/.: expected a regular file");
}
