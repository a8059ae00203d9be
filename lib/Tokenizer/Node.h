// tokenizer.json, read value by value.
#ifndef FORGE_LIB_TOKENIZER_NODE_H
#define FORGE_LIB_TOKENIZER_NODE_H

#include "forge/Checkpoint/Json.h"

#include <vector>

namespace forge::tokenizer {

/// A value and its place, "model.merges[3]". The first value that is not as expected is remembered
/// in the error all nodes share, and what calls return from then on means nothing: readers ask for
/// all values, then for the error.
class Node {
public:
  /// The whole file; both outlive it.
  Node(const nlohmann::json &object, std::string &error) : value(&object), message(&error) {}

  /// A member of an object; absent where there is none, or null.
  Node operator[](const char *key) const;
  bool present() const { return value != nullptr; }
  const nlohmann::json &raw() const { return *value; }

  std::string text() const;
  std::string text(const std::string &otherwise) const { return value ? text() : otherwise; }
  bool flag(bool otherwise) const;
  /// From 0 to 2^31 - 1.
  int32_t natural() const;
  int32_t natural(int32_t otherwise) const { return value ? natural() : otherwise; }
  /// Of an array.
  std::vector<Node> elements() const;
  /// Member names and values of an object.
  std::vector<std::pair<std::string, Node>> members() const;
  /// "type" of an object.
  std::string type() const { return (*this)["type"].text(); }

  void fail(const std::string &expected) const;
  bool failed() const { return !message->empty(); }

private:
  Node(const nlohmann::json *value, std::string place, std::string *message)
      : value(value), place(std::move(place)), message(message) {}

  const nlohmann::json *value;
  std::string place;
  std::string *message;
};

} // namespace forge::tokenizer

#endif // FORGE_LIB_TOKENIZER_NODE_H
