#include "Interpreter.h"

using namespace forge;
using namespace forge::chat;

static constexpr uint64_t mostSteps = 5'000'000;
/// Of statements, expressions and calls in each other.
static constexpr int mostDepth = 1000;

const Value *Scope::find(std::string_view name) const {
  for (const Scope *scope = this; scope; scope = scope->parent.get())
    if (auto found = scope->names.find(name); found != scope->names.end())
      return &found->second;
  return nullptr;
}

Interpreter::Interpreter(const Map &globals) : root(std::make_shared<Scope>()) {
  for (const Map &names : {globalFunctions(), globals})
    for (const auto &[name, value] : names)
      root->names[name] = value;
}

Value Interpreter::fail(const std::string &message) {
  if (problem.empty())
    problem = "line " + std::to_string(line) + ": " + message;
  return Value();
}

void Interpreter::charge(size_t bytesOrElements) {
  steps += bytesOrElements / 64;
  if (steps > mostSteps)
    fail("expected at most " + std::to_string(mostSteps) + " operations");
}

Value Interpreter::makeText(std::string text) {
  charge(text.size());
  return text.size() > mostText
             ? fail("expected a text of at most " + std::to_string(mostText) + " bytes")
             : Value::text(std::move(text));
}

void Interpreter::print(const std::string &text) {
  if (text.size() > mostText - output.size())
    fail("expected a text of at most " + std::to_string(mostText) + " bytes");
  else
    output += text;
}

Result<std::string> Interpreter::run(const Body &body) {
  runBody(body, std::make_shared<Scope>(Scope{{}, root}));
  for (const std::weak_ptr<Scope> &scope : macroScopes)
    if (ScopePtr alive = scope.lock())
      alive->names.clear();
  if (failed())
    return Error{problem};
  return std::move(output);
}

std::string Interpreter::capture(const Body &body, const ScopePtr &scope) {
  std::string before = std::exchange(output, "");
  runBody(body, scope);
  return std::exchange(output, std::move(before));
}

Interpreter::Flow Interpreter::runBody(const Body &body, const ScopePtr &scope) {
  Flow flow = Flow::Next;
  if (++depth > mostDepth)
    fail("expected at most " + std::to_string(mostDepth) + " levels of calls");
  for (const Statement &statement : body) {
    if (failed() || flow != Flow::Next)
      break;
    flow = runStatement(statement, scope);
  }
  --depth;
  return flow;
}

Interpreter::Flow Interpreter::runStatement(const Statement &statement, const ScopePtr &scope) {
  line = statement.line;
  switch (statement.kind) {
  case Statement::Kind::Text:
    print(statement.text);
    break;
  case Statement::Kind::Print:
    print(evaluate(*statement.expression, scope).str());
    break;
  case Statement::Kind::If: {
    Value condition = evaluate(*statement.expression, scope);
    return runBody(condition.truth() ? statement.body : statement.otherwise, scope);
  }
  case Statement::Kind::For:
    return runFor(statement, scope);
  case Statement::Kind::Set:
    runSet(statement, scope);
    break;
  case Statement::Kind::Macro:
    scope->names[statement.text] = makeMacro(statement, scope);
    break;
  case Statement::Kind::Filter: {
    Value text = Value::text(capture(statement.body, scope));
    Arguments arguments = evaluateArguments(statement.expression->arguments, scope);
    if (!failed())
      print(applyFilter(statement.expression->text, text, arguments).str());
    break;
  }
  case Statement::Kind::Break:
    return Flow::Break;
  case Statement::Kind::Continue:
    return Flow::Continue;
  case Statement::Kind::Group:
    return runBody(statement.body, scope);
  case Statement::Kind::With: {
    // Values do not see the names beside them.
    auto inner = std::make_shared<Scope>(Scope{{}, scope});
    for (const auto &[name, value] : statement.parameters)
      inner->names[name] = evaluate(*value, scope);
    return runBody(statement.body, inner);
  }
  }
  return Flow::Next;
}

void Interpreter::assign(const Target &target, const Value &value, Scope &scope) {
  if (!target.member.empty()) {
    const Value *object = scope.find(target.names[0]);
    Map *members = object ? object->asNamespace() : nullptr;
    if (members)
      setMember(*members, target.member, value);
    else
      fail("expected " + target.names[0] + " to be a namespace, but got " +
           (object ? object->typeName() : "undefined"));
    return;
  }
  if (target.names.size() == 1) {
    scope.names[target.names[0]] = value;
    return;
  }
  List elements = elementsOf(value);
  if (failed())
    return;
  if (elements.size() != target.names.size()) {
    fail("expected " + std::to_string(target.names.size()) + " values, but got " +
         std::to_string(elements.size()));
    return;
  }
  for (size_t i = 0; i < elements.size(); ++i)
    scope.names[target.names[i]] = elements[i];
}

void Interpreter::runSet(const Statement &set, const ScopePtr &scope) {
  Value value;
  if (set.expression)
    value = evaluate(*set.expression, scope);
  else
    value = Value::text(capture(set.body, std::make_shared<Scope>(Scope{{}, scope})));
  if (!failed())
    assign(set.target, value, *scope);
}

/// `loop` in a step of one.
static Value loopObject(const List &elements, size_t step, int64_t level,
                        const std::shared_ptr<Value> &before) {
  auto number = [](size_t value) { return Value::integer(static_cast<int64_t>(value)); };
  size_t count = elements.size();
  Value cycle = Value::function([step](Interpreter &interpreter, const Arguments &arguments) {
    const List &values = arguments.positional;
    return values.empty() ? interpreter.fail("loop.cycle: expected a value or more")
                          : values[step % values.size()];
  });
  Value changed = Value::function([before](Interpreter &, const Arguments &arguments) {
    Value now = Value::list(arguments.positional);
    bool isSame = *before == now;
    *before = now;
    return Value::boolean(!isSame);
  });
  return Value::map(
      {{"index", number(step + 1)},
       {"index0", number(step)},
       {"revindex", number(count - step)},
       {"revindex0", number(count - step - 1)},
       {"first", Value::boolean(step == 0)},
       {"last", Value::boolean(step + 1 == count)},
       {"length", number(count)},
       {"depth", Value::integer(level)},
       {"depth0", Value::integer(level - 1)},
       {"previtem", step > 0 ? elements[step - 1] : Value::undefined("previtem")},
       {"nextitem", step + 1 < count ? elements[step + 1] : Value::undefined("nextitem")},
       {"cycle", cycle},
       {"changed", changed}});
}

Interpreter::Flow Interpreter::runFor(const Statement &loop, const ScopePtr &scope) {
  List elements = elementsOf(evaluate(*loop.expression, scope));
  auto stepScope = [&](const Value &element) {
    auto made = std::make_shared<Scope>(Scope{{}, scope});
    assign(loop.target, element, *made);
    return made;
  };
  if (loop.condition)
    std::erase_if(elements, [&](const Value &element) {
      return failed() || !evaluate(*loop.condition, stepScope(element)).truth();
    });
  if (elements.empty() && !failed())
    return runBody(loop.otherwise, std::make_shared<Scope>(Scope{{}, scope}));
  auto before = std::make_shared<Value>();
  for (size_t step = 0; step < elements.size() && !failed(); ++step) {
    ScopePtr names = stepScope(elements[step]);
    charge(1000); // of `loop`
    names->names["loop"] = loopObject(elements, step, /*level=*/1, before);
    if (runBody(loop.body, names) == Flow::Break)
      break;
  }
  return Flow::Next;
}

Value Interpreter::makeMacro(const Statement &macro, const ScopePtr &scope) {
  macroScopes.push_back(scope);
  return Value::function([&macro, scope](Interpreter &interpreter, const Arguments &arguments) {
    if (arguments.positional.size() > macro.parameters.size())
      return interpreter.fail("macro " + macro.text + ": expected at most " +
                              std::to_string(macro.parameters.size()) + " arguments, but got " +
                              std::to_string(arguments.positional.size()));
    auto names = std::make_shared<Scope>(Scope{{}, scope});
    for (size_t i = 0; i < macro.parameters.size(); ++i) {
      const auto &[name, otherwise] = macro.parameters[i];
      const Value *given = arguments.find(i, name);
      names->names[name] = given       ? *given
                           : otherwise ? interpreter.evaluate(*otherwise, names)
                                       : Value::undefined(name);
    }
    for (const auto &[name, value] : arguments.named)
      if (!names->names.contains(name))
        return interpreter.fail("macro " + macro.text + " has no parameter " + name);
    return interpreter.makeText(interpreter.capture(macro.body, names));
  });
}

Value Interpreter::evaluate(const Expression &expression, const ScopePtr &scope) {
  if (failed())
    return Value();
  if (++steps > mostSteps)
    return fail("expected at most " + std::to_string(mostSteps) + " operations");
  if (depth >= mostDepth)
    return fail("expected at most " + std::to_string(mostDepth) + " levels of calls");
  ++depth;
  line = expression.line;
  Value value = evaluateKind(expression, scope);
  --depth;
  return value;
}

Arguments Interpreter::evaluateArguments(const CallArguments &arguments, const ScopePtr &scope) {
  Arguments values;
  for (const ExpressionPtr &argument : arguments.positional)
    values.positional.push_back(evaluate(*argument, scope));
  for (const auto &[name, argument] : arguments.named)
    values.named.emplace_back(name, evaluate(*argument, scope));
  return values;
}
