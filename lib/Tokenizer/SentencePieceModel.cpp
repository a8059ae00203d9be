#include "SentencePieceModel.h"

#include "NormalizerRules.h"
#include "Unicode.h"
#include "Wire.h"

#include "forge/Checkpoint/Json.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_set>

using namespace forge;
using namespace forge::tokenizer;

namespace {
// Fields of ModelProto, and of the messages in it.
enum ModelField : uint32_t { kPieces = 1, kTrainer = 2, kNormalizer = 3, kDenormalizer = 5 };
enum PieceField : uint32_t { kText = 1, kScore = 2, kType = 3 };
enum TrainerField : uint32_t {
  kModelType = 3,
  kSuffix = 24,
  kByteFallback = 35,
  kUnkSurface = 44,
  kBosPiece = 46,
  kEosPiece = 47
};
enum NormalizerField : uint32_t { kCharsmap = 2, kDummyPrefix = 3, kExtraSpaces = 4, kEscape = 5 };

class Reader {
public:
  SentencePieceModel model;
  std::string problem;

  void fail(const std::string &place, const std::string &expected, const std::string &got) {
    if (problem.empty())
      problem = place + ": expected " + expected + ", but got " + got;
  }

  /// Calls `take` with each field of a message; where the bytes are none, that is the problem.
  template <typename Function>
  void message(const std::string &place, std::string_view bytes, Function take) {
    WireReader reader(bytes);
    while (std::optional<WireField> field = reader.next())
      if (problem.empty())
        take(*field);
    if (reader.failed())
      fail(place, "a message of protocol buffers", std::to_string(bytes.size()) + " other bytes");
  }

  /// Whether a field is encoded as it should be.
  bool is(const std::string &place, const WireField &field, WireType type) {
    if (field.type != type)
      fail(place + ", field " + std::to_string(field.number),
           "wire type " + std::to_string(static_cast<int>(type)),
           std::to_string(static_cast<int>(field.type)));
    return field.type == type;
  }
  void flag(const std::string &place, const WireField &field, bool &value) {
    if (is(place, field, WireType::Varint))
      value = field.value != 0;
  }
  void text(const std::string &place, const WireField &field, std::string &value) {
    if (is(place, field, WireType::Bytes))
      value = field.bytes;
  }

  void readModel(std::string_view bytes);
  void check();

private:
  std::string place(size_t piece) const { return "pieces[" + std::to_string(piece) + "]"; }
  void readPiece(std::string_view bytes);
  void readTrainer(std::string_view bytes);
  void readNormalizer(std::string_view bytes);
  void checkPieces();
  void checkUserDefined();
};
} // namespace

void Reader::readModel(std::string_view bytes) {
  constexpr size_t mostPieces = size_t(1) << 22;
  message("model", bytes, [&](const WireField &field) {
    if (field.number == kPieces && is("model", field, WireType::Bytes)) {
      if (model.pieces.size() == mostPieces)
        return fail("pieces", "at most " + std::to_string(mostPieces), "more");
      readPiece(field.bytes);
    } else if (field.number == kTrainer && is("model", field, WireType::Bytes)) {
      readTrainer(field.bytes);
    } else if (field.number == kNormalizer && is("model", field, WireType::Bytes)) {
      readNormalizer(field.bytes);
    } else if (field.number == kDenormalizer && is("model", field, WireType::Bytes)) {
      message("denormalizer_spec", field.bytes, [&](const WireField &part) {
        if (part.number == kCharsmap && !part.bytes.empty())
          fail("denormalizer_spec.precompiled_charsmap", "none",
               std::to_string(part.bytes.size()) + " bytes");
      });
    }
  });
}

void Reader::readPiece(std::string_view bytes) {
  std::string where = place(model.pieces.size());
  SentencePieceModel::Piece piece;
  message(where, bytes, [&](const WireField &field) {
    if (field.number == kText)
      text(where, field, piece.text);
    else if (field.number == kScore && is(where, field, WireType::Fixed32))
      piece.score = std::bit_cast<float>(static_cast<uint32_t>(field.value));
    else if (field.number == kType && is(where, field, WireType::Varint)) {
      if (field.value < SentencePieceModel::Normal || field.value > SentencePieceModel::Byte)
        return fail(where + ".type", "1 to 6", std::to_string(field.value));
      piece.type = static_cast<SentencePieceModel::PieceType>(field.value);
    }
  });
  model.pieces.push_back(std::move(piece));
}

void Reader::readTrainer(std::string_view bytes) {
  const char *where = "trainer_spec";
  message(where, bytes, [&](const WireField &field) {
    if (field.number == kModelType && is(where, field, WireType::Varint)) {
      if (field.value < 1 || field.value > 4)
        return fail("trainer_spec.model_type", "1 to 4", std::to_string(field.value));
      model.modelType = field.value;
    } else if (field.number == kSuffix) {
      flag(where, field, model.treatWhitespaceAsSuffix);
    } else if (field.number == kByteFallback) {
      flag(where, field, model.byteFallback);
    } else if (field.number == kUnkSurface) {
      text(where, field, model.unkSurface.emplace());
    } else if (field.number == kBosPiece) {
      text(where, field, model.bosPiece);
    } else if (field.number == kEosPiece) {
      text(where, field, model.eosPiece);
    }
  });
}

void Reader::readNormalizer(std::string_view bytes) {
  const char *where = "normalizer_spec";
  message(where, bytes, [&](const WireField &field) {
    if (field.number == kCharsmap)
      text(where, field, model.precompiledCharsmap);
    else if (field.number == kDummyPrefix)
      flag(where, field, model.addDummyPrefix);
    else if (field.number == kExtraSpaces)
      flag(where, field, model.removeExtraWhitespaces);
    else if (field.number == kEscape)
      flag(where, field, model.escapeWhitespaces);
  });
}

void Reader::check() {
  checkPieces();
  checkUserDefined();
  if (problem.empty() && model.unkSurface && !isUTF8(*model.unkSurface))
    fail("trainer_spec.unk_surface", "text in UTF-8", "other bytes");
  if (!problem.empty() || model.precompiledCharsmap.empty())
    return;
  Result<size_t> longest = longestReplacement(model.precompiledCharsmap);
  if (!longest)
    problem = "normalizer_spec.precompiled_charsmap: " + longest.error().message;
  else // a space becomes three bytes
    model.growth = 3 * std::max<size_t>(1, *longest);
}

void Reader::checkPieces() {
  // SentencePiece builds tries by a recursion as deep as a piece is long.
  constexpr size_t mostBytes = 4096;
  std::unordered_set<std::string_view> seen;
  size_t numUnknown = 0;
  for (size_t i = 0; i < model.pieces.size() && problem.empty(); ++i) {
    const SentencePieceModel::Piece &piece = model.pieces[i];
    if (piece.text.empty() || piece.text.size() > mostBytes ||
        piece.text.find('\0') != std::string::npos || !isUTF8(piece.text))
      fail(place(i) + ".piece", "1 to 4096 bytes of text in UTF-8, none of them zero",
           briefText(piece.text));
    else if (!seen.insert(piece.text).second)
      fail(place(i) + ".piece", "a piece that is given once", briefText(piece.text));
    if (!std::isfinite(piece.score))
      fail(place(i) + ".score", "a finite number", std::to_string(piece.score));
    numUnknown += piece.type == SentencePieceModel::Unknown ? 1 : 0;
  }
  if (numUnknown != 1)
    fail("pieces", "one of type UNKNOWN", std::to_string(numUnknown));
}

/// SentencePiece keeps the user-defined pieces that a text begins with in an array of 64.
void Reader::checkUserDefined() {
  constexpr size_t mostNested = 64;
  std::vector<std::string_view> texts, prefixes;
  for (const SentencePieceModel::Piece &piece : model.pieces)
    if (piece.type == SentencePieceModel::UserDefined)
      texts.push_back(piece.text);
  std::ranges::sort(texts);
  for (std::string_view text : texts) {
    while (!prefixes.empty() && !text.starts_with(prefixes.back()))
      prefixes.pop_back();
    prefixes.push_back(text);
    if (prefixes.size() > mostNested)
      return fail("pieces", "at most 64 of type USER_DEFINED that a text begins with", "more");
  }
}

Result<SentencePieceModel> SentencePieceModel::parse(std::string_view bytes) {
  constexpr size_t mostBytes = size_t(1) << 26;
  if (bytes.size() > mostBytes)
    return Error{"expected at most " + std::to_string(mostBytes) + " bytes, but got " +
                 std::to_string(bytes.size())};
  Reader reader;
  reader.readModel(bytes);
  reader.check();
  if (!reader.problem.empty())
    return Error{reader.problem};
  return std::move(reader.model);
}

std::string SentencePieceModel::serialize() const {
  WireWriter model, trainer, normalizer;
  for (const Piece &piece : pieces) {
    WireWriter entry;
    entry.bytes(kText, piece.text);
    entry.number(kScore, piece.score);
    entry.number(kType, uint64_t(piece.type));
    model.bytes(kPieces, entry.message());
  }
  trainer.number(kModelType, modelType);
  trainer.number(kSuffix, uint64_t(treatWhitespaceAsSuffix));
  trainer.number(kByteFallback, uint64_t(byteFallback));
  if (unkSurface)
    trainer.bytes(kUnkSurface, *unkSurface);
  model.bytes(kTrainer, trainer.message());
  normalizer.bytes(kCharsmap, precompiledCharsmap);
  normalizer.number(kDummyPrefix, uint64_t(addDummyPrefix));
  normalizer.number(kExtraSpaces, uint64_t(removeExtraWhitespaces));
  normalizer.number(kEscape, uint64_t(escapeWhitespaces));
  model.bytes(kNormalizer, normalizer.message());
  return model.message();
}

std::optional<size_t> SentencePieceModel::find(std::string_view text, PieceType type) const {
  for (size_t i = 0; i < pieces.size(); ++i)
    if (pieces[i].type == type && pieces[i].text == text)
      return i;
  return std::nullopt;
}

const std::string &SentencePieceModel::unknown() const {
  return std::ranges::find(pieces, Unknown, &Piece::type)->text;
}
