#include "forge/Chat/ChatTemplate.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

using namespace forge;
using nlohmann::ordered_json;
namespace fs = std::filesystem;

/// What a template makes of some names, or its problem.
static std::string render(const std::string &source,
                          const ordered_json &names = ordered_json::object()) {
  Result<ChatTemplate> parsed = ChatTemplate::parse(source);
  if (!parsed)
    return "error: " + parsed.error().message;
  Result<std::string> text = parsed->render(names);
  return text ? *text : "error: " + text.error().message;
}

/// Each file has templates, names for all of them, and for each the texts that jinja2 made with
/// more names (docs/generate.md); null where it failed.
TEST(ChatTemplate, MakesWhatJinja2Makes) {
  size_t numTexts = 0;
  for (const auto &entry : fs::directory_iterator(FORGE_CHAT_INPUTS)) {
    std::ifstream stream(entry.path());
    ordered_json file = ordered_json::parse(stream);
    for (const ordered_json &test : file["templates"])
      for (const ordered_json &one : test["cases"]) {
        ordered_json names = file["names"];
        names.update(one["names"]);
        SCOPED_TRACE(test["template"].get<std::string>() + "\n" + names.dump());
        std::string text = render(test["template"], names);
        if (one["text"].is_null())
          EXPECT_TRUE(text.starts_with("error: ")) << text;
        else
          EXPECT_EQ(text, one["text"].get<std::string>());
        ++numTexts;
      }
  }
  EXPECT_GT(numTexts, 700u);
}

TEST(ChatTemplate, NamesTheLineOfAProblem) {
  EXPECT_EQ(render("a\n{% if %}"), "error: line 2: expected an expression, but got %}");
  EXPECT_EQ(render("{% if true %}\na"), "error: line 2: expected {% endif %}, but got the end");
  EXPECT_EQ(render("\n{{ 1"), "error: line 2: expected }} behind an expression");
  EXPECT_EQ(render("{{ 'a }}"), "error: line 1: expected ' behind a string");
  EXPECT_EQ(render("{# a"), "error: line 1: expected #} behind a comment");
  EXPECT_EQ(render("{{ (1] }}"), "error: line 1: expected ')', but got ']'");
  EXPECT_EQ(render("{{ a ? b }}"),
            "error: line 1: expected a name, a literal or an operator, but got '?'");
  EXPECT_EQ(
      render("{% include 'x' %}"),
      "error: line 1: expected if, for, set, with, macro, filter, break, continue, generation "
      "or raw, but got 'include'");
  EXPECT_EQ(render("{{ 99999999999999999999 }}"),
            "error: line 1: expected a number below 2^63, but got 99999999999999999999");
  EXPECT_EQ(render("a\n{{ raise_exception('roles must alternate') }}"),
            "error: line 2: roles must alternate");
  EXPECT_EQ(render("{{ x.y.z }}", {{"x", ordered_json::object()}}),
            "error: line 1: 'y' is undefined: it has no member z");
  EXPECT_EQ(render("{{ f() }}"), "error: line 1: 'f' is undefined: it cannot be called");
  EXPECT_EQ(render("{{ 1 | magic }}"), "error: line 1: there is no filter 'magic'");
  EXPECT_EQ(render("{{ 1 is magic }}"), "error: line 1: there is no test 'magic'");
  EXPECT_EQ(render("{% set a.b = 1 %}"),
            "error: line 1: expected a to be a namespace, but got undefined");
  EXPECT_EQ(render("{% for a, b in [1] %}{% endfor %}"),
            "error: line 1: expected a list, a map or a text, but got int");
  EXPECT_EQ(render("{% for a, b in [[1]] %}{% endfor %}"),
            "error: line 1: expected 2 values, but got 1");
  EXPECT_EQ(render("{{ 'a' + 1 }}"),
            "error: line 1: expected operands of + that it can take, but got str and int");
  EXPECT_EQ(render("{{ 'a' < 1 }}"),
            "error: line 1: expected operands of < that have an order, but got str and int");
  EXPECT_EQ(render("{{ 9223372036854775807 + 1 }}"),
            "error: line 1: expected a result of 64 bits of 9223372036854775807 + 1");
}

static std::string repeated(const std::string &text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i)
    all += text;
  return all;
}

TEST(ChatTemplate, BoundsTimeMemoryAndDepth) {
  for (const std::string &source :
       {std::string(
            "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"),
        std::string("{{ range(100001) | list }}"),
        std::string("{% set ns = namespace(s='a') %}{% for i in range(99999) %}{% set ns.s = ns.s "
                    "+ ns.s %}{% endfor %}"),
        std::string("{% set ns = namespace(s=[1]) %}{% for i in range(99999) %}{% set ns.s = ns.s "
                    "+ ns.s %}{% endfor %}"),
        std::string("{{ 'ab' * 999999999999 }}"),
        std::string("{{ ('ab' * 9999).replace('a', 'b' * 99999) }}"),
        std::string("{{ 10 ** 999999999999 }}"),
        std::string("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"),
        repeated("{% if 1 %}", 100000),
        "{% if a %}" + repeated("{% elif b %}", 100000) + "{% endif %}",
        "{{ " + repeated("(", 100000),
        "{{ " + repeated("[", 100000),
        "{{ " + repeated("-", 100000) + "1 }}",
        "{{ " + repeated("not ", 100000),
        "{{ 1" + repeated(" + 1", 100000) + " }}",
        "{{ a" + repeated(".a", 100000) + " }}",
        "{{ a" + repeated("|d", 100000) + " }}",
        "{{ a" + repeated("[0", 100000),
        "{{ a" + repeated(" if 1 else 2", 100000) + " }}",
        std::string(2 << 20, ' ')}) {
    SCOPED_TRACE(source.substr(0, 100));
    EXPECT_TRUE(render(source).starts_with("error: ")) << render(source).substr(0, 100);
  }
}

TEST(ChatTemplate, KnowsTheTime) {
  EXPECT_EQ(render("{{ strftime_now('%Y') | int > 2000 }}"), "True");
}

/// What the template of a folder with these files makes of a message.
static std::string fromFolder(const std::string &config, const std::string &file = "") {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-chat"));
  if (!config.empty())
    EXPECT_TRUE(writeFileAtomically(folder.file("tokenizer_config.json"), config));
  if (!file.empty())
    EXPECT_TRUE(writeFileAtomically(folder.file("chat_template.jinja"), file));
  Result<ChatTemplate> loaded = ChatTemplate::loadFolder(folder.path());
  Result<std::string> text =
      loaded ? loaded->apply({{{"role", "user"}, {"content", "hi"}}}) : loaded.error();
  if (text)
    return *text;
  std::string message = text.error().message;
  size_t place = message.find(folder.path());
  return place == 0 ? message.substr(folder.path().size()) : message;
}

TEST(ChatTemplate, IsThatOfAFolder) {
  const char *source = "{{ bos_token }}{% for m in messages %}{{ m.role }}: {{ m.content }}{% "
                       "endfor %}{% if add_generation_prompt %}!{% endif %}";
  std::string config = R"({"bos_token":"<s>","chat_template":")" + std::string(source) + "\"}";
  EXPECT_EQ(fromFolder(config), "<s>user: hi!");
  EXPECT_EQ(fromFolder(R"({"bos_token":{"content":"<b>"}})", source), "<b>user: hi!");
  // The file counts.
  EXPECT_EQ(fromFolder(config, "file"), "file");
  EXPECT_EQ(fromFolder("", source), "user: hi!");
  EXPECT_EQ(fromFolder(R"({"chat_template":[{"name":"tool_use","template":"t"},)"
                       R"({"name":"default","template":"d"}]})"),
            "d");
  EXPECT_EQ(fromFolder(""),
            ": expected chat_template.jinja, or chat_template in tokenizer_config.json");
  EXPECT_EQ(fromFolder(R"({"chat_template":3})"),
            "/tokenizer_config.json: chat_template: expected a text, or a list with a template of "
            "the name default, but got 3");
  EXPECT_EQ(fromFolder(R"({"chat_template":"\n{{"})"),
            "/tokenizer_config.json: line 2: expected }} behind an expression");
  EXPECT_EQ(fromFolder("", "{{ raise_exception('no') }}"), "/chat_template.jinja: line 1: no");
}
