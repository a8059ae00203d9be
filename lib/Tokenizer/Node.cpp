#include "Node.h"

using namespace forge;
using namespace forge::tokenizer;
using nlohmann::json;

void Node::fail(const std::string &expected) const {
  if (message->empty())
    *message = (place.empty() ? "" : place + ": ") + "expected " + expected + ", but got " +
               (value ? briefText(*value) : "none");
}

Node Node::operator[](const char *key) const {
  const json *member = nullptr;
  if (value && value->is_object()) {
    auto found = value->find(key);
    if (found != value->end() && !found->is_null())
      member = &*found;
  } else if (value) {
    fail("an object");
  }
  return {member, place.empty() ? key : place + "." + key, message};
}

std::string Node::text() const {
  if (value && value->is_string())
    return value->get<std::string>();
  fail("a string");
  return "";
}

bool Node::flag(bool otherwise) const {
  if (!value)
    return otherwise;
  if (!value->is_boolean()) {
    fail("true or false");
    return otherwise;
  }
  return value->get<bool>();
}

int32_t Node::natural() const {
  std::optional<int64_t> number = value ? naturalNumber(*value) : std::nullopt;
  if (number && *number <= INT32_MAX)
    return static_cast<int32_t>(*number);
  fail("a whole number from 0 to 2^31 - 1");
  return 0;
}

std::vector<Node> Node::elements() const {
  std::vector<Node> nodes;
  if (!value || !value->is_array()) {
    fail("an array");
    return nodes;
  }
  nodes.reserve(value->size());
  for (size_t i = 0; i < value->size(); ++i)
    nodes.push_back({&(*value)[i], place + "[" + std::to_string(i) + "]", message});
  return nodes;
}

std::vector<std::pair<std::string, Node>> Node::members() const {
  std::vector<std::pair<std::string, Node>> nodes;
  if (!value || !value->is_object()) {
    fail("an object");
    return nodes;
  }
  nodes.reserve(value->size());
  for (const auto &[key, member] : value->items())
    nodes.emplace_back(key, Node{&member, place + "[" + briefText(key) + "]", message});
  return nodes;
}
