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

// "e.0.w" in one file and "e.1.w" in another, each of tensor<2xi8>, and an index of both.
TEST(Weights, AreStackedWhereTheNameHasAStar) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-weights"));
  for (std::string number : {"0", "1"})
    ASSERT_TRUE(writeFileAtomically(folder.file(number + ".safetensors"),
                                    safetensorsText("{\"e." + number +
                                                        ".w\":{\"dtype\":\"I8\",\"shape\":[2],"
                                                        "\"data_offsets\":[0,2]}}",
                                                    2)));
  ASSERT_TRUE(writeFileAtomically(
      folder.file("m.index.json"),
      R"({"weight_map":{"e.0.w":"0.safetensors","e.1.w":"1.safetensors","e.2.w":"1.safetensors"}})"));
  ASSERT_TRUE(writeFileAtomically(folder.file("bad.index.json"),
                                  R"({"weight_map":{"e.0.w":"../0.safetensors"}})"));
  WeightFiles files({folder.path()});
  Result<HostTensor> all = files.load({"m.index.json", "e.*.w"}, {DType::I8, {2, 2}});
  ASSERT_TRUE(all) << all.error().message;
  EXPECT_EQ(all->getBits(0), all->getBits(2));
  EXPECT_EQ(all->getBits(1), 1u);
  EXPECT_EQ(all->getBits(3), 1u);
  auto problem = [&](const WeightSource &source, const TensorSpec &spec) {
    Result<HostTensor> loaded = files.load(source, spec);
    std::string message = loaded ? "" : loaded.error().message;
    size_t at = message.find(folder.path());
    return at == std::string::npos ? message : message.substr(at + folder.path().size() + 1);
  };
  EXPECT_EQ(
      problem({"m.index.json", "e.*.w"}, {DType::I8, {3, 2}}),
      "1.safetensors: tensor 'e.2.w': expected tensor<2xi8>, but the file has no such tensor");
  EXPECT_EQ(
      problem({"m.index.json", "e.*.w"}, {DType::I8, {4, 2}}),
      "1.safetensors: tensor 'e.2.w': expected tensor<2xi8>, but the file has no such tensor");
  EXPECT_EQ(problem({"m.index.json", "e.*.v"}, {DType::I8, {1, 2}}),
            "m.index.json: tensor 'e.0.v': expected a file for it, but got none");
  // No memory is taken for it: the second tensor is not there.
  EXPECT_EQ(
      problem({"0.safetensors", "e.*.w"}, {DType::I8, {int64_t(1) << 61, 2}}),
      "0.safetensors: tensor 'e.1.w': expected tensor<2xi8>, but the file has no such tensor");
  EXPECT_EQ(problem({"0.safetensors", "e.*.w"}, {DType::I8, {TensorSpec::dynamic, 2}}),
            "tensor 'e.*.w': expected static sizes of stacked tensors, but got tensor<?x2xi8>");
  EXPECT_EQ(problem({"0.safetensors", "e.*.w"}, {DType::I8, {}}),
            "tensor 'e.*.w': expected static sizes of stacked tensors, but got tensor<i8>");
  EXPECT_NE(
      problem({"bad.index.json", "e.*.w"}, {DType::I8, {1, 2}}).find("expected the name of a file"),
      std::string::npos);
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
