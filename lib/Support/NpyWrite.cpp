#include "forge/Support/AtomicFile.h"
#include "forge/Support/Npy.h"
#include "forge/Support/StagedFolder.h"

#include "NpyHeader.h"

using namespace forge;

static constexpr size_t kDataAlignment =
    64; // of the data, as NumPy has it, so that it can be mapped

static std::string_view descrOf(DType type) {
  switch (type) {
  case DType::F64:
    return "<f8";
  case DType::F32:
    return "<f4";
  case DType::F16:
    return "<f2";
  case DType::I1:
    return "|b1";
  case DType::I8:
    return "|i1";
  case DType::U8:
    return "|u1";
  case DType::I16:
    return "<i2";
  case DType::U16:
    return "<u2";
  case DType::I32:
    return "<i4";
  case DType::U32:
    return "<u4";
  case DType::I64:
    return "<i8";
  case DType::U64:
    return "<u8";
  default:
    return ""; // widened by npyStorageType
  }
}

static std::string shapeText(const std::vector<int64_t> &dims) {
  std::string text = "(";
  for (size_t i = 0; i < dims.size(); ++i)
    text += (i ? ", " : "") + std::to_string(dims[i]);
  return text + (dims.size() == 1 ? ",)" : ")");
}

/// Everything before the data.
static std::string headerText(const HostTensor &tensor, bool isComplex) {
  std::string descr(descrOf(tensor.type()));
  std::vector<int64_t> dims = tensor.dims();
  if (isComplex) {
    descr = tensor.type() == DType::F32 ? "<c8" : "<c16";
    dims.pop_back();
  }
  std::string dict =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shapeText(dims) + ", }";
  bool isLong = npy::kPrefixSizeV1 + dict.size() + 1 + kDataAlignment > 0xffff;
  size_t prefix = isLong ? npy::kPrefixSizeV2 : npy::kPrefixSizeV1;
  size_t total = (prefix + dict.size() + 1 + kDataAlignment - 1) / kDataAlignment * kDataAlignment;
  dict.resize(total - prefix - 1, ' ');
  dict += '\n';
  std::string text(npy::kMagic);
  text += isLong ? '\2' : '\1';
  text += '\0';
  for (size_t i = 0; i < prefix - 8; ++i)
    text += static_cast<char>(dict.size() >> (8 * i) & 0xff);
  return text + dict;
}

DType forge::npyStorageType(DType type) {
  if (isFloat(type) && type != DType::F16)
    return bitWidth(type) < 32 ? DType::F32 : type;
  if (type == DType::I1 || bitWidth(type) >= 8)
    return type;
  return isSignedInteger(type) ? DType::I8 : DType::U8;
}

Result<void> forge::writeNpy(const std::string &path, const HostTensor &tensor, bool isComplex) {
  DType stored = npyStorageType(tensor.type());
  if (stored != tensor.type()) {
    Result<HostTensor> widened = castElements(tensor, stored);
    if (!widened)
      return Error{path + ": " + widened.error().message};
    return writeNpy(path, *widened);
  }
  std::string header = headerText(tensor, isComplex);
  return writeFileAtomically(path,
                             {{header.data(), header.size()}, {tensor.data(), tensor.numBytes()}});
}

Result<void> forge::writeNpyFiles(StagedFolder &stage, const std::string &stem,
                                  const std::vector<HostTensor> &tensors,
                                  const std::vector<TensorSpec> &specs) {
  for (size_t i = 0; i < tensors.size(); ++i)
    if (Result<void> written = writeNpy(stage.pathOf(stem + std::to_string(i) + ".npy"), tensors[i],
                                        i < specs.size() && specs[i].isComplex);
        !written)
      return stage.inFolder(written.error());
  return {};
}

Result<void> forge::writeNpyFiles(const std::string &folder, const std::string &stem,
                                  const std::vector<HostTensor> &tensors,
                                  const std::vector<TensorSpec> &specs) {
  Result<StagedFolder> stage = StagedFolder::create(folder);
  if (!stage)
    return stage.error();
  if (Result<void> written = writeNpyFiles(*stage, stem, tensors, specs); !written)
    return written;
  return stage->commit();
}
