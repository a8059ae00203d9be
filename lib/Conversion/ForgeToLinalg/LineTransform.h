// How a Fourier transform of lines is written as loops. Private to ForgeForgeToLinalg.
#ifndef FORGE_LIB_CONVERSION_FORGETOLINALG_LINETRANSFORM_H
#define FORGE_LIB_CONVERSION_FORGETOLINALG_LINETRANSFORM_H

#include "Butterfly.h"

#include "forge/Conversion/Utils/IndexBuilder.h"
#include "forge/Dialect/Forge/IR/FftPasses.h"
#include "forge/Dialect/Forge/IR/Forge.h"

namespace forge {

/// Of one forge.fft_lines. Values called `line` are the number of a line, of all or, where `local`,
/// of its tile; `at` the place of a number in it; `from` and `to` what is known of such a place.
class LineTransform {
public:
  LineTransform(mlir::OpBuilder &builder, FftLinesOp op, int64_t blockBytes)
      : ib{builder, op.getLoc()}, op(op), dim(static_cast<int64_t>(op.getDim())),
        length(static_cast<int64_t>(op.getLength())), sign(op.getBackward() ? 1 : -1),
        in(llvm::cast<mlir::RankedTensorType>(op.getParts().front().getType())),
        out(llvm::cast<mlir::RankedTensorType>(op.getTransformed().front().getType())),
        element(llvm::cast<mlir::FloatType>(in.getElementType())) {
    bool isReal = op.getHermitian() ? op.getNumResults() == 1 : op.getParts().size() == 1;
    fromPairs = isReal && areFftPairs(length) && !op.getHermitian();
    toPairs = isReal && areFftPairs(length) && op.getHermitian();
    size = fromPairs || toPairs ? length / 2 : length;
    radices = fftPasses(size);
    for (auto [number, extent] : llvm::enumerate(in.getShape())) {
      if (static_cast<int64_t>(number) != dim)
        outer.push_back(extent);
      if (static_cast<int64_t>(number) > dim)
        neighbours *= extent;
    }
    count = llvm::product_of(outer);
    chooseTile(blockBytes);
  }

  /// The loops, at the builder's place; what they give in the place of the operation's results.
  llvm::SmallVector<mlir::Value> create();

private:
  /// Whether lines are side by side in memory, and not their numbers.
  bool isAcross() const { return neighbours > 1; }
  int64_t padded(int64_t places) const {
    return isAcross() ? places : places + places / kFftPadding;
  }

  void chooseTile(int64_t blockBytes);
  void createTable();
  llvm::SmallVector<mlir::Value> createTile(IndexBuilder in, mlir::Value tile,
                                            mlir::ValueRange targets);
  llvm::SmallVector<mlir::Value> createPass(IndexBuilder in, size_t pass, mlir::Value tile,
                                            mlir::ValueRange source, mlir::ValueRange targets);
  llvm::SmallVector<mlir::Value> createStep(IndexBuilder in, size_t pass, mlir::Value tile,
                                            mlir::Value number, mlir::ValueRange source,
                                            mlir::ValueRange targets);
  llvm::SmallVector<mlir::Value> writeResults(IndexBuilder in, llvm::ArrayRef<Number> numbers,
                                              mlir::Value line, mlir::Value first,
                                              mlir::ValueRange targets);
  llvm::SmallVector<mlir::Value> takePairsApart(IndexBuilder in, mlir::Value tile,
                                                mlir::ValueRange source, mlir::ValueRange targets);
  /// A part of a result at place `at` of a line, which is at least `from` and below `to`, if it is
  /// wanted.
  llvm::SmallVector<mlir::Value> writeWanted(IndexBuilder in, llvm::ArrayRef<mlir::Value> parts,
                                             mlir::Value line, mlir::Value at, int64_t from,
                                             int64_t to, mlir::ValueRange targets);

  //===--- places: integers of 32 bits within a tile ---===//

  mlir::Value place(IndexBuilder in, int64_t value) const {
    return mlir::arith::ConstantIntOp::create(in.b, in.loc, in.b.getI32Type(), value);
  }
  mlir::Value plus(IndexBuilder in, mlir::Value at, int64_t more) const {
    return more == 0 ? at : in.add(at, place(in, more));
  }
  mlir::Value times(IndexBuilder in, mlir::Value at, int64_t factor) const {
    return factor == 1 ? at : in.mul(at, place(in, factor));
  }
  std::pair<mlir::Value, mlir::Value> divide(IndexBuilder in, mlir::Value at, int64_t by) const;
  static mlir::Value toIndex(IndexBuilder in, mlir::Value at) {
    return in.b.createOrFold<mlir::arith::IndexCastUIOp>(in.loc, in.b.getIndexType(), at);
  }
  /// Where the scratch memory has number `at` of a line of the tile.
  mlir::Value scratchPlace(IndexBuilder in, mlir::Value line, mlir::Value at) const;

  //===--- numbers ---===//

  llvm::SmallVector<mlir::Value> coordinates(IndexBuilder in, mlir::Value line,
                                             mlir::Value at) const;
  /// What the first pass transforms.
  Number readNumber(IndexBuilder in, mlir::Value line, mlir::Value at, int64_t from, int64_t to);
  /// Of the line that the operands are, or are the first half of.
  Number readInput(IndexBuilder in, mlir::Value line, mlir::Value at, int64_t from, int64_t to);
  mlir::Value readPart(IndexBuilder in, mlir::Value part, mlir::Value line, mlir::Value index,
                       int64_t from, int64_t to);
  Number joinHalves(IndexBuilder in, mlir::Value line, mlir::Value k, bool hasFirst);
  Number readRoot(IndexBuilder in, mlir::Value at) const;
  void turn(IndexBuilder in, Butterfly &butterfly, llvm::SmallVectorImpl<Number> &numbers,
            mlir::Value k, int64_t step) const;

  IndexBuilder ib;
  FftLinesOp op;
  int64_t dim, length;
  /// Complex numbers of a line that passes transform; pairs of real ones are read, or written.
  int64_t size;
  bool fromPairs, toPairs;
  int sign;
  mlir::RankedTensorType in, out;
  mlir::FloatType element;
  llvm::SmallVector<int64_t> radices;
  /// Sizes of the other dimensions; their lines, those side by side, and those of a tile.
  llvm::SmallVector<int64_t> outer;
  int64_t count = 1, neighbours = 1, lines = 1;
  /// Roots of unity, cosines and sines: e^(sign 2 pi i m / length) for the first m.
  mlir::Value cosines, sines;
};

} // namespace forge

#endif // FORGE_LIB_CONVERSION_FORGETOLINALG_LINETRANSFORM_H
