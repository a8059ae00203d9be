// A function of transformer operations, built call by call with the shapes checked at every call.
#ifndef FORGE_DIALECT_TRANSFORMER_BUILDERS_GRAPH_H
#define FORGE_DIALECT_TRANSFORMER_BUILDERS_GRAPH_H

#include "forge/Dialect/Transformer/IR/Transformer.h"
#include "forge/Support/BlockFormat.h"
#include "forge/Support/Result.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/OwningOpRef.h"

#include <optional>
#include <string>
#include <vector>

namespace forge::transformer {

/// How the weights of a linear layer lie.
enum class WeightLayout {
  OutIn, ///< [out, in], as PyTorch's nn.Linear stores them
  InOut  ///< [in, out], as the Conv1D layers of GPT-2 in Hugging Face checkpoints store them
};

/// How narrow weights stand for numbers: (weight - zero point) * scale.
struct QuantizedFormat {
  mlir::Type storage; ///< i4, i8, f8E4M3FN or f8E5M2
  /// Output and input features that share a scale; one scale per output feature unless given.
  std::optional<std::pair<int64_t, int64_t>> block = std::nullopt;
  bool zeroPoint = false; ///< whether integers have one for each scale
  /// Whether inputs are rounded to `storage`, of f8, row by row (quantize_rows); without block.
  bool roundsInput = false;
};

struct LinearOptions {
  mlir::Value bias = {};     ///< [out]; none when null
  mlir::Value residual = {}; ///< added to the result, of its shape; none when null
  std::optional<ActivationKind> activation = std::nullopt;
  WeightLayout layout = WeightLayout::OutIn;
};

struct AttentionBuildOptions {
  bool causal = false;
  std::optional<double> scale = std::nullopt;   ///< of scores; 1 / sqrt(D) unless given
  std::optional<int64_t> window = std::nullopt; ///< keys that a query sees around itself
  std::optional<double> softCap = std::nullopt;
  mlir::Value mask = {};    ///< [B|1, Hq|1, S|1, T|1]
  mlir::Value lengths = {}; ///< keys of each sequence, [B]
  mlir::Value offsets = {}; ///< position of each sequence's first query, [B]
  mlir::Value sinks = {};   ///< [Hq]
};

struct RouteOptions {
  int64_t k = 1;         ///< experts of a token
  bool normalize = true; ///< weights of a token's experts sum to one
  RouterScore score = RouterScore::Softmax;
  mlir::Value bias = {}; ///< added to scores for the choice, [E]; none when null
  /// Groups of experts, of which `topGroups` are chosen from, each measured by the sum of its two
  /// largest; 0: none.
  int64_t groups = 0, topGroups = 0;
  double scale = 1; ///< of the weights
};

struct SampleBuildOptions {
  mlir::Value temperature = {}; ///< [B] of f32
  mlir::Value topK = {};        ///< tokens that are kept, [B] of i32 or i64
  mlir::Value topP = {};        ///< share of the weights that is kept, [B] of f32
};

struct LossBuildOptions {
  LossReduction reduction = LossReduction::Mean;
  std::optional<int64_t> ignoreIndex = std::nullopt;
  std::optional<double> labelSmoothing = std::nullopt;
};

struct RopeBuildOptions {
  double base = 10000;
  bool interleaved = false;
  std::optional<int64_t> rotaryDims = std::nullopt; ///< all of the head unless given
  RopeScalingAttr scaling = {};                     ///< none when null
  /// Radians per position of each pair, in place of base and scaling; none when empty.
  std::vector<double> frequencies = {};
  /// Where given, those in place of `frequencies` once a position is `longFrom` or above, for all
  /// tokens.
  std::vector<double> longFrequencies = {};
  int64_t longFrom = 0;
  double factor = 1; ///< of rotated elements; only with `frequencies`

  /// Whether frequencies change with the number of tokens.
  bool dependsOnContext() const {
    return !longFrequencies.empty() || (scaling && scaling.getKind() == RopeScalingKind::Dynamic);
  }
};

/// Builds one function. Every call checks its operands and returns the tensor it computes; the
/// first one that does not fit is remembered ("linear 'q_proj': expected ..., but got ..."), it and
/// all later calls return null and build nothing, and finish() returns that error. So a model can
/// be written down without a check per line.
///
/// Sizes may be mlir::ShapedType::kDynamic. The context must outlive the module.
class Graph {
public:
  Graph(mlir::MLIRContext &context, llvm::StringRef function);

  /// The next argument of the function, [shape] of `element`. The name shows in errors and, as a
  /// location, in the IR.
  mlir::Value argument(llvm::StringRef name, llvm::ArrayRef<int64_t> shape, mlir::Type element);
  /// The next arguments: weights [out, in] of a narrow type, "NAME_scale" of f32, and where there
  /// is one "NAME_zero_point". linear, mlp and gatedMlp take the weights in the place of float
  /// ones.
  mlir::Value quantizedArgument(llvm::StringRef name, int64_t out, int64_t in,
                                const QuantizedFormat &format);
  /// The same for weights [..., out, in], with scales [..., blocks, blocks] under the name "NAME"
  /// and `scaleSuffix`; also groupedLinear takes them.
  mlir::Value quantizedArgument(llvm::StringRef name, llvm::ArrayRef<int64_t> shape,
                                const QuantizedFormat &format, llvm::StringRef scaleSuffix);
  /// The next arguments: words of a matrix [out, in] of 4 bits, and "NAME_scale", its scales of
  /// groups (forge/Support/NibbleFormat.h). Gives back its numbers, in `element`.
  mlir::Value nibbleArgument(llvm::StringRef name, int64_t out, int64_t in, mlir::Type element);
  /// Numbers 0, 1, ... of i32, [count].
  mlir::Value iota(int64_t count);

  /// input [..., K] times weights [N, K]: [..., N].
  mlir::Value linear(mlir::Value input, mlir::Value weights, const LinearOptions &options = {});
  /// input [..., K] times weights [N, K], not rounded to 16 bits: [..., N] of f32, or wider.
  mlir::Value wideProduct(mlir::Value input, mlir::Value weights);
  /// input in the element type of `like`, floats of another width.
  mlir::Value converted(mlir::Value input, mlir::Value like);
  mlir::Value converted(mlir::Value input, mlir::Type element);
  /// Rows of table [V, D] by ids [...]: [..., D].
  mlir::Value embedding(mlir::Value table, mlir::Value ids);
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  /// input [B, ...] plus addend [...] in each of the B.
  mlir::Value addToEach(mlir::Value input, mlir::Value addend);
  mlir::Value multiply(mlir::Value lhs, mlir::Value rhs);
  /// input [B, H, S, D] times a row of factors [H, D] in each head.
  mlir::Value multiplyHeads(mlir::Value input, mlir::Value factors);
  mlir::Value activation(ActivationKind kind, mlir::Value input);
  /// input times a number, rounded to the element type first.
  mlir::Value scaled(mlir::Value input, double factor);
  /// cap * tanh(input / cap).
  mlir::Value softCapped(mlir::Value input, double cap);
  /// Along the last dimension of input [..., N]; scale and shift, [N], may be null.
  mlir::Value layerNorm(mlir::Value input, mlir::Value scale, mlir::Value shift, double epsilon);
  mlir::Value rmsNorm(mlir::Value input, mlir::Value scale, double epsilon,
                      bool unitOffset = false);
  mlir::Value softmax(mlir::Value input, int64_t dimension);

  /// [B, S, heads * D] as [B, heads, S, D], and back.
  mlir::Value splitHeads(mlir::Value input, int64_t heads);
  mlir::Value joinHeads(mlir::Value input);
  /// `size` elements of the last dimension from `begin` on, with `stride` from one to the next.
  mlir::Value columns(mlir::Value input, int64_t begin, int64_t size, int64_t stride = 1);
  /// The last dimensions of both, one behind the other: [..., M] and [..., N] give [..., M + N].
  mlir::Value joined(mlir::Value left, mlir::Value right);
  /// input [B, 1, S, D] in each of `heads` heads: [B, heads, S, D].
  mlir::Value inEachHead(mlir::Value input, int64_t heads);
  /// Rotates input [B, H, S, D] by positions [S] or [B, S]. Frequencies that depend on the number
  /// of tokens are those of each sequence's in `contexts` [B], or else of 1 + the largest position.
  mlir::Value rope(mlir::Value input, mlir::Value positions, const RopeBuildOptions &options = {},
                   mlir::Value contexts = {});
  /// Queries [B, Hq, S, D] over keys [B, Hkv, T, D] and values [B, Hkv, T, Dv]: [B, Hq, S, Dv].
  mlir::Value attention(mlir::Value query, mlir::Value key, mlir::Value value,
                        const AttentionBuildOptions &options = {});
  /// The same over keys and values in pages, [P, Hkv, R, D] and [P, Hkv, R, Dv], that the table [B,
  /// M] gives to sequences; the options need lengths, and have no mask.
  mlir::Value pagedAttention(mlir::Value query, mlir::Value keyPages, mlir::Value valuePages,
                             mlir::Value table, const AttentionBuildOptions &options);
  /// cache [B, Hkv, T, D] with rows [B, Hkv, S, D] written from start [B] on; with a table [B, M]
  /// the cache is a pool of pages [P, Hkv, R, D].
  mlir::Value kvAppend(mlir::Value rows, mlir::Value cache, mlir::Value start,
                       mlir::Value table = {});
  /// start [B] of i32 and a number of tokens: start[b] + s, [B, count].
  mlir::Value positionsFrom(mlir::Value start, int64_t count);
  /// Positions 0, 1, ... of i32 for the tokens of input [B, S, ...], S of any size: [S].
  mlir::Value positionsOf(mlir::Value input);
  /// start [B] of i32 plus `number`, [B].
  mlir::Value plus(mlir::Value start, int64_t number);
  /// The same with a number for each, [B].
  mlir::Value plus(mlir::Value start, mlir::Value numbers);

  /// Two linear layers with `activation` between them; biases and residual may be null. Weights [F,
  /// H] and [O, F].
  mlir::Value mlp(mlir::Value input, mlir::Value up, mlir::Value upBias, mlir::Value down,
                  mlir::Value downBias, ActivationKind activation, mlir::Value residual = {},
                  WeightLayout layout = WeightLayout::OutIn);
  /// down(activation(gate(x)) * up(x)) + residual. Weights [F, H], [F, H], [O, F].
  mlir::Value gatedMlp(mlir::Value input, mlir::Value gate, mlir::Value up, mlir::Value down,
                       ActivationKind activation, mlir::Value residual = {});

  /// input [B, S, N] at the first of S positions: [B, N].
  mlir::Value firstToken(mlir::Value input);
  /// input [B, S, N] at the last of S positions, S static: [B, N].
  mlir::Value lastToken(mlir::Value input);
  /// input [B, S, N], B and S static, at the last of the first counts [B] of i32 positions: [B, N].
  mlir::Value lastToken(mlir::Value input, mlir::Value counts);
  /// input of i32 as i64.
  mlir::Value widened(mlir::Value input);
  /// Along the last dimension of input [..., V], the place of the largest element: [...] of i32.
  mlir::Value argmax(mlir::Value input);
  /// A random token for each row of logits [B, V], by seeds and steps, [B] of i64: [B] of i32.
  mlir::Value sample(mlir::Value logits, mlir::Value seeds, mlir::Value steps,
                     const SampleBuildOptions &options = {});
  /// The loss of logits [..., C] for classes targets [...]: one number, or [...] without reduction,
  /// of f32, or f64 for f64.
  mlir::Value crossEntropy(mlir::Value logits, mlir::Value targets,
                           const LossBuildOptions &options = {});

  /// (up + 1) * gate * sigmoid(alpha * gate), with gate at most `limit` and up from -limit to
  /// limit first, as in gpt-oss.
  mlir::Value clampedGate(mlir::Value gate, mlir::Value up, double alpha, double limit);
  /// Numbers of OCP's MXFP4 (Microscaling Formats, v1.0): blocks [..., N / 32, 16] of i8, two E2M1
  /// in a byte, the low half first, and an E8M0 scale for each 32, [..., N / 32] of i8. [..., N] of
  /// `element`.
  mlir::Value fromMxfp4(mlir::Value blocks, mlir::Value scales, mlir::Type element);
  /// Numbers of rows [N, blocks * bytes of a block] of i8 in a format of GGUF files: [N, blocks *
  /// elements of a block] of `element`. With ids [...] only these rows, [..., blocks * elements];
  /// an id below the first row or above the last one takes that.
  mlir::Value fromBlocks(mlir::Value rows, BlockFormat format, mlir::Type element,
                         mlir::Value ids = {});

  /// Experts of every token, from logits [N, E]: weights [N, k] and numbers of experts [N, k].
  std::pair<mlir::Value, mlir::Value> route(mlir::Value logits, const RouteOptions &options);
  /// input [T, K] times one matrix of weights [E, N, K] for each group of rows: [T, N]. groups [E]
  /// holds their sizes; the bias is [E, N], and there is no residual.
  mlir::Value groupedLinear(mlir::Value input, mlir::Value weights, mlir::Value groups,
                            const LinearOptions &options = {});
  /// sum over k of weights [N, K] times rows [N, K, H]: [N, H].
  mlir::Value weightedSum(mlir::Value rows, mlir::Value weights);
  /// The places of the elements of input [N], integers below 2^24, in rising order, equals by
  /// rising place: [N].
  mlir::Value sortOrder(mlir::Value input);
  /// How many elements of input [N] are 0, 1, ... kinds - 1: [kinds]. N is below 2^24.
  mlir::Value count(mlir::Value input, int64_t kinds);
  /// Integers divided by a positive number, rounded towards 0.
  mlir::Value quotient(mlir::Value input, int64_t divisor);
  /// A static shape of as many elements.
  mlir::Value reshape(mlir::Value input, llvm::ArrayRef<int64_t> shape);

  /// Fails the graph with `message` of the call named `call`; for blocks that check their
  /// configuration.
  void fail(llvm::StringRef call, const llvm::Twine &message);
  bool hasFailed() const { return !message.empty(); }
  /// What went wrong first; empty while nothing has.
  const std::string &error() const { return message; }

  /// Ends the function with `results` and returns its module, or the first error.
  Result<mlir::OwningOpRef<mlir::ModuleOp>> finish(llvm::ArrayRef<mlir::Value> results);

  mlir::ImplicitLocOpBuilder &builder() { return b; }

private:
  friend class CallCheck;
  /// What comes with narrow weights.
  struct Quantization {
    mlir::Value scale, zeroPoint;
    std::optional<std::pair<int64_t, int64_t>> block;
    bool roundsInput = false;
  };

  std::string nameOf(mlir::Value value) const;
  /// The numbers that weights in blocks stand for.
  mlir::Value dequantized(mlir::Value weights, const Quantization &quantization,
                          mlir::Type element);
  mlir::Value quantizedLinear(mlir::Value input, mlir::Value weights,
                              const Quantization &quantization, const LinearOptions &options);

  mlir::OwningOpRef<mlir::ModuleOp> module;
  mlir::func::FuncOp function;
  mlir::ImplicitLocOpBuilder b;
  llvm::DenseMap<mlir::Value, std::string> names;
  llvm::DenseMap<mlir::Value, Quantization> quantized;
  std::string message;
};

} // namespace forge::transformer

#endif // FORGE_DIALECT_TRANSFORMER_BUILDERS_GRAPH_H
