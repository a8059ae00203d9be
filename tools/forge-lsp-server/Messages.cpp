#include "Messages.h"

#include "Documentation.h"

#include "llvm/Support/raw_ostream.h"

using namespace forge::lsp;
namespace json = llvm::json;

static std::string textOf(const json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

/// The object at `path` in `object`; those that are missing are made.
static json::Object &objectAt(json::Object &object, llvm::ArrayRef<llvm::StringRef> path) {
  json::Object *at = &object;
  for (llvm::StringRef name : path) {
    if (!at->getObject(name))
      (*at)[name] = json::Object();
    at = at->getObject(name);
  }
  return *at;
}

void Messages::fromEditor(json::Object &message) {
  std::optional<llvm::StringRef> method = message.getString("method");
  json::Value *id = message.get("id");
  if (!method || !id)
    return;
  Request request{method->str(), ""};
  std::lock_guard lock(mutex);
  if (*method == "initialize") {
    json::Object &symbols =
        objectAt(message, {"params", "capabilities", "textDocument", "documentSymbol"});
    static constexpr llvm::StringLiteral trees = "hierarchicalDocumentSymbolSupport";
    editorKnowsTrees = symbols.getBoolean(trees).value_or(false);
    symbols[trees] = true;
  } else if (*method == "textDocument/documentSymbol") {
    request.uri = objectAt(message, {"params", "textDocument"}).getString("uri").value_or("").str();
  } else if (*method != "textDocument/hover") {
    return;
  }
  pending[textOf(*id)] = std::move(request);
}

/// DocumentSymbol[] as SymbolInformation[], the children of a symbol after it.
static void flatten(const json::Array &symbols, llvm::StringRef uri, llvm::StringRef container,
                    json::Array &flat) {
  for (const json::Value &value : symbols) {
    const json::Object *symbol = value.getAsObject();
    const json::Value *range = symbol ? symbol->get("selectionRange") : nullptr;
    if (!range)
      continue;
    // As strings of their own: a value of a StringRef refers to the tree that the list replaces.
    std::string name = symbol->getString("name").value_or("").str();
    json::Object entry{{"name", name},
                       {"kind", symbol->getInteger("kind").value_or(0)},
                       {"location", json::Object{{"uri", uri.str()}, {"range", *range}}}};
    if (!container.empty())
      entry["containerName"] = container.str();
    flat.push_back(std::move(entry));
    if (const json::Array *children = symbol->getArray("children"))
      flatten(*children, uri, name, flat);
  }
}

/// Hovers of operations begin with their quoted names.
static void document(json::Object &hover) {
  json::Object *contents = hover.getObject("contents");
  llvm::StringRef text = contents ? contents->getString("value").value_or("") : "";
  if (!text.consume_front("\""))
    return;
  llvm::StringRef page = documentationOf(text.take_until([](char c) { return c == '"'; }));
  if (!page.empty())
    (*contents)["value"] = contents->getString("value")->str() + "\n---\n\n" + page.str();
}

void Messages::fromServer(json::Object &message) {
  json::Value *id = message.get("id");
  json::Value *result = message.get("result");
  if (!id || !result)
    return;
  std::lock_guard lock(mutex);
  auto found = pending.find(textOf(*id));
  if (found == pending.end())
    return;
  Request request = std::move(found->second);
  pending.erase(found);
  if (request.method == "initialize") {
    if (json::Object *answer = result->getAsObject())
      (*answer)["serverInfo"] =
          json::Object{{"name", "forge-lsp-server"}, {"version", FORGE_VERSION}};
  } else if (request.method == "textDocument/hover") {
    if (json::Object *hover = result->getAsObject())
      document(*hover);
  } else if (json::Array *symbols = result->getAsArray(); symbols && !editorKnowsTrees) {
    json::Array flat;
    flatten(*symbols, request.uri, "", flat);
    *result = std::move(flat);
  }
}
