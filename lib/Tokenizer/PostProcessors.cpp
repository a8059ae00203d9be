#include "Stages.h"

#include <unordered_map>

using namespace forge;
using namespace forge::tokenizer;

static PostProcessor around(std::vector<int32_t> before, std::vector<int32_t> behind) {
  return [=](std::vector<int32_t> ids) {
    ids.insert(ids.begin(), before.begin(), before.end());
    ids.insert(ids.end(), behind.begin(), behind.end());
    return ids;
  };
}

/// The id of ["[SEP]", 102].
static int32_t idOfPair(const Node &node) {
  std::vector<Node> parts = node.elements();
  if (parts.size() == 2)
    return parts[1].natural();
  node.fail("a token and its id");
  return 0;
}

/// {"SpecialToken": ...} and {"Sequence": ...} of a single text, in order.
static PostProcessor templateOf(const Node &node) {
  std::unordered_map<std::string, std::vector<int32_t>> special;
  for (const auto &[name, token] : node["special_tokens"].members())
    for (const Node &id : token["ids"].elements())
      special[name].push_back(id.natural());
  std::vector<int32_t> before, behind;
  bool seen = false;
  for (const Node &item : node["single"].elements()) {
    if (item["Sequence"].present()) {
      if (std::exchange(seen, true) || item["Sequence"]["id"].text() != "A")
        item.fail("the sequence A, once");
      continue;
    }
    Node name = item["SpecialToken"]["id"];
    auto found = special.find(name.text());
    if (found == special.end()) {
      name.fail("a key of special_tokens");
      return nullptr;
    }
    std::vector<int32_t> &ids = seen ? behind : before;
    ids.insert(ids.end(), found->second.begin(), found->second.end());
  }
  if (!seen)
    node["single"].fail("the sequence A in it");
  return around(std::move(before), std::move(behind));
}

PostProcessor tokenizer::parsePostProcessor(const Node &node) {
  if (!node.present())
    return nullptr;
  std::string type = node.type();
  if (type == "TemplateProcessing")
    return templateOf(node);
  if (type == "BertProcessing" || type == "RobertaProcessing")
    return around({idOfPair(node["cls"])}, {idOfPair(node["sep"])});
  // It moves the places of tokens in the text, which nothing here asks for.
  if (type == "ByteLevel")
    return around({}, {});
  if (type == "Sequence") {
    std::vector<PostProcessor> parts;
    for (const Node &part : node["processors"].elements())
      parts.push_back(parsePostProcessor(part));
    return [=](std::vector<int32_t> ids) {
      for (const PostProcessor &part : parts)
        ids = part(std::move(ids));
      return ids;
    };
  }
  node["type"].fail("TemplateProcessing, BertProcessing, RobertaProcessing, ByteLevel or Sequence");
  return nullptr;
}
