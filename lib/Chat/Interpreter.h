// Between the files of lib/Chat: running a template.
#ifndef FORGE_LIB_CHAT_INTERPRETER_H
#define FORGE_LIB_CHAT_INTERPRETER_H

#include "Tree.h"

#include <map>

namespace forge::chat {

/// The names of a template, of a step of a loop, or of a call of a macro.
struct Scope {
  std::map<std::string, Value, std::less<>> names;
  std::shared_ptr<Scope> parent;

  const Value *find(std::string_view name) const;
};

/// The first problem is remembered; from then on nothing is done and values mean nothing. Time and
/// memory are bounded: templates come with checkpoints of others.
class Interpreter {
public:
  explicit Interpreter(const Map &globals);

  Result<std::string> run(const Body &body);

  /// Remembers a problem; an undefined value.
  Value fail(const std::string &message);
  bool failed() const { return !problem.empty(); }
  static constexpr size_t mostText = size_t(64) << 20;
  /// Fails on a text of more than mostText bytes.
  Value makeText(std::string text);
  /// Counts work that is more than a step; fails where it is too much.
  void charge(size_t bytesOrElements);
  Value call(const Value &function, const Arguments &arguments);
  Value applyFilter(const std::string &name, const Value &value, const Arguments &arguments);
  bool applyTest(const std::string &name, const Value &value, const Arguments &arguments);
  /// A method or a member, as `value.name`; undefined where there is none.
  Value memberOf(const Value &value, const std::string &name);
  /// The elements of a list, the keys of a map, the characters of a text; of what is undefined
  /// none.
  List elementsOf(const Value &value);
  Value contains(const Value &container, const Value &value);
  Value compare(const std::string &name, const Value &left, const Value &right);

private:
  enum class Flow { Next, Break, Continue };
  using ScopePtr = std::shared_ptr<Scope>;

  Flow runBody(const Body &body, const ScopePtr &scope);
  Flow runStatement(const Statement &statement, const ScopePtr &scope);
  Flow runFor(const Statement &loop, const ScopePtr &scope);
  void runSet(const Statement &set, const ScopePtr &scope);
  void assign(const Target &target, const Value &value, Scope &scope);
  Value makeMacro(const Statement &macro, const ScopePtr &scope);
  /// What a body prints.
  std::string capture(const Body &body, const ScopePtr &scope);
  void print(const std::string &text);

  Value evaluate(const Expression &expression, const ScopePtr &scope);
  Value evaluateKind(const Expression &expression, const ScopePtr &scope);
  Value evaluateUnary(const Expression &expression, const ScopePtr &scope);
  Value evaluateBinary(const Expression &expression, const ScopePtr &scope);
  Value evaluateRow(const Expression &expression, const ScopePtr &scope);
  Value repeated(const List &list, int64_t count);
  Value evaluateMap(const Expression &expression, const ScopePtr &scope);
  Arguments evaluateArguments(const CallArguments &arguments, const ScopePtr &scope);
  Value add(const Value &left, const Value &right);
  Value arithmetic(const std::string &name, const Value &left, const Value &right);
  Value subscript(const Value &value, const Value &place);
  Value slice(const Value &value, const Value bounds[3]);

  std::shared_ptr<Scope> root;
  /// Of macros: they hold each other.
  std::vector<std::weak_ptr<Scope>> macroScopes;
  std::string output;
  std::string problem;
  int line = 1, depth = 0;
  uint64_t steps = 0;
};

/// Functions that templates call: range, namespace, raise_exception ...
Map globalFunctions();

/// The method of a text, a list or a map as a function; undefined where there is none.
Value methodOf(const Value &value, const std::string &name);

/// Characters of a text in UTF-8.
std::vector<std::string> charactersOf(const std::string &text);
size_t lengthOf(const std::string &text);
/// Without the characters at both ends that are white space, or in `characters`.
std::string stripText(const std::string &text, const std::string *characters, bool left = true,
                      bool right = true);
std::string upperText(const std::string &text);
std::string lowerText(const std::string &text);
/// Whether letters have a case, and all that have one are upper, or lower.
bool isUpper(const std::string &text);
bool isLower(const std::string &text);
std::string capitalText(const std::string &text);
std::string titleText(const std::string &text);
std::string replaceText(const std::string &text, const std::string &from, const std::string &to,
                        int64_t most);

} // namespace forge::chat

#endif // FORGE_LIB_CHAT_INTERPRETER_H
