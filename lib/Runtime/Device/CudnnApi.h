// cuDNN's backend API, version 9, declared here: the build needs no header of NVIDIA's. Private to
// ForgeRuntime; a unit test compares the numbers with cudnn_graph.h where that is installed.
#ifndef FORGE_LIB_RUNTIME_DEVICE_CUDNNAPI_H
#define FORGE_LIB_RUNTIME_DEVICE_CUDNNAPI_H

#include "Library.h"

#include <cstddef>
#include <cstdint>

namespace forge::rt::cudnn {

// cudnnBackendDescriptorType_t.
enum Descriptor {
  kPointwise = 0,
  kConvolution = 1,
  kEngine = 2,
  kEngineConfig = 3,
  kEngineHeuristic = 4,
  kExecutionPlan = 5,
  kOperationConvolution = 10,
  kOperationPointwise = 13,
  kOperationGraph = 15,
  kVariantPack = 16,
  kTensor = 17,
  kMatmul = 18,
  kOperationMatmul = 19,
  kReduction = 21,
  kOperationReduction = 22,
  kOperationReshape = 31,
};

// cudnnBackendAttributeName_t.
enum Attribute {
  kPointwiseMode = 0,
  kPointwisePrecision = 1,
  kPointwiseAxis = 9,
  kConvolutionType = 100,
  kConvolutionMode = 101,
  kConvolutionDilations = 102,
  kConvolutionStrides = 103,
  kConvolutionHighPadding = 104,
  kConvolutionLowPadding = 105,
  kConvolutionAxes = 106,
  kHeuristicMode = 200,
  kHeuristicGraph = 201,
  kHeuristicResults = 202,
  kConfigEngine = 300,
  kPlanHandle = 400,
  kPlanConfig = 401,
  kPlanWorkspaceSize = 402,
  kConvolutionAlpha = 700,
  kConvolutionBeta = 701,
  kConvolutionDescriptor = 702,
  kConvolutionKernel = 703,
  kConvolutionImage = 704,
  kConvolutionOut = 705,
  kPointwiseDescriptor = 750,
  kPointwiseX = 751,
  kPointwiseB = 752,
  kPointwiseY = 753,
  kPointwiseT = 758,
  kGraphHandle = 800,
  kGraphOperations = 801,
  kTensorAlignment = 900,
  kTensorType = 901,
  kTensorSizes = 902,
  kTensorStrides = 903,
  kTensorId = 906,
  kTensorIsVirtual = 907,
  kTensorIsByValue = 908,
  kPackIds = 1000,
  kPackPointers = 1001,
  kPackWorkspace = 1003,
  kEngineNotes = 1303,
  kMatmulType = 1500,
  kMatmulA = 1520,
  kMatmulB = 1521,
  kMatmulC = 1522,
  kMatmulDescriptor = 1523,
  kReductionOperator = 1600,
  kReductionType = 1601,
  kReductionX = 1610,
  kReductionY = 1611,
  kReductionDescriptor = 1612,
  kReshapeX = 2200,
  kReshapeY = 2201,
};

// cudnnBackendAttributeType_t.
enum AttributeType {
  kHandle = 0,
  kDataType = 1,
  kBoolean = 2,
  kInt64 = 3,
  kFloatNumber = 4,
  kDoubleNumber = 5,
  kPointer = 6,
  kConvolutionModeType = 7,
  kHeuristicModeType = 8,
  kNumericalNoteType = 11,
  kPointwiseModeType = 14,
  kDescriptorType = 15,
  kReductionOperatorType = 18,
};

// cudnnDataType_t.
enum DataType { kFloat = 0, kDouble = 1, kHalf = 2, kInt32 = 4, kBFloat16 = 9, kBool = 11 };

// cudnnPointwiseMode_t.
enum Pointwise {
  kAdd = 0,
  kMultiply = 1,
  kDivide = 6,
  kSubtract = 9,
  kExponential = 13,
  kLogarithm = 15,
  kIdentity = 21,
  kRelu = 100,
  kGeluTanh = 107,
  kGreaterOrEqual = 303,
  kIndex = 501,
  kSelect = 601,
};

// cudnnReduceTensorOp_t, cudnnBackendHeurMode_t, cudnnConvolutionMode_t.
enum Reduce { kSum = 0, kMaximum = 3 };
enum Heuristic { kModeFallback = 2, kModeA = 3 };
enum Convolution { kCrossCorrelation = 1 };

// cudnnBackendNumericalNote_t: what an engine may do to numbers.
enum NumericalNote { kTensorCore = 0, kDownConvertInputs = 1, kNoteCount = 10 };

/// The functions; statuses are ints (0: success), descriptors and handles pointers.
struct Functions {
  int (*create)(void **handle);
  int (*destroy)(void *handle);
  int (*setStream)(void *handle, void *stream);
  size_t (*version)();
  const char *(*statusName)(int status);
  /// Says more of the last error; null before version 9.
  void (*lastError)(char *message, size_t bytes);
  int (*createDescriptor)(int type, void **descriptor);
  int (*destroyDescriptor)(void *descriptor);
  int (*finalize)(void *descriptor);
  int (*set)(void *descriptor, int attribute, int type, int64_t count, const void *values);
  int (*get)(void *descriptor, int attribute, int type, int64_t wanted, int64_t *count,
             void *values);
  int (*execute)(void *handle, void *plan, void *pack);

  /// "making a plan: CUDNN_STATUS_NOT_SUPPORTED (head dimension > 256)".
  std::string errorText(const char *what, int status) const;
};

/// All functions of the library; an Error names those that it has not.
Result<Functions> findFunctions(const Library &library);

} // namespace forge::rt::cudnn

#endif // FORGE_LIB_RUNTIME_DEVICE_CUDNNAPI_H
