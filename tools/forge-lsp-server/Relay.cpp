#include "Relay.h"

#include "Messages.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstdio>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

using namespace forge::lsp;
namespace json = llvm::json;

namespace {

/// The largest message taken from an editor or server: more than any document that is worth
/// serving.
constexpr unsigned long long kMaxMessageBytes = 1ull << 30;

/// How messages are told apart: by a header with their length, or by lines `// -----`.
enum class Framing { Header, Delimiter };

} // namespace

/// One line without its end; nothing at the end of input.
static std::optional<std::string> readLine(std::FILE *in) {
  std::string line;
  for (int c; (c = std::getc(in)) != EOF;) {
    if (c == '\n') {
      if (!line.empty() && line.back() == '\r')
        line.pop_back();
      return line;
    }
    line.push_back(static_cast<char>(c));
  }
  return line.empty() ? std::nullopt : std::optional(line);
}

/// The text of the next message; nothing at the end of input or where a header makes no sense.
static std::optional<std::string> readMessage(std::FILE *in, Framing framing) {
  std::string text;
  if (framing == Framing::Delimiter) {
    while (std::optional<std::string> line = readLine(in)) {
      llvm::StringRef trimmed = llvm::StringRef(*line).trim();
      if (trimmed == "// -----") {
        if (!text.empty())
          return text;
      } else if (!trimmed.starts_with("//")) {
        text += *line;
      }
    }
    return text.empty() ? std::nullopt : std::optional(text);
  }
  unsigned long long length = 0;
  std::optional<std::string> line;
  while ((line = readLine(in)) && !line->empty()) {
    auto [name, value] = llvm::StringRef(*line).split(':');
    if (name.equals_insensitive("content-length") && value.trim().getAsInteger(10, length))
      return std::nullopt;
  }
  if (!line || length == 0 || length > kMaxMessageBytes)
    return std::nullopt;
  text.resize(length);
  if (std::fread(text.data(), 1, length, in) != length)
    return std::nullopt;
  return text;
}

static void writeMessage(llvm::raw_ostream &out, const json::Value &message, bool indented) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::formatv(indented ? "{0:2}" : "{0}", message);
  out << "Content-Length: " << text.size() << "\r\n\r\n" << text;
  if (indented)
    out << "\n";
  out.flush();
}

/// Relays until the end of input. What is not JSON is passed over: neither side could answer it.
static void relay(std::FILE *in, Framing framing, llvm::raw_ostream &out, bool indented,
                  llvm::function_ref<void(json::Object &)> change) {
  while (std::optional<std::string> text = readMessage(in, framing)) {
    llvm::Expected<json::Value> message = json::parse(*text);
    if (!message) {
      llvm::errs() << "error: expected a message in JSON: " << llvm::toString(message.takeError())
                   << "\n";
      continue;
    }
    if (json::Object *object = message->getAsObject())
      change(*object);
    writeMessage(out, *message, indented);
  }
}

int forge::lsp::runRelayed(int argc, char **argv, llvm::function_ref<bool(int, char **)> serve) {
  std::vector<char *> arguments;
  bool test = false, help = false;
  for (char *argument : llvm::ArrayRef(argv, argc)) {
    llvm::StringRef name = llvm::StringRef(argument).ltrim('-');
    help |= name.starts_with("help") || name == "h" || name == "version";
    if (name == "lit-test")
      test = true;
    else
      arguments.push_back(argument);
  }
  if (help)
    return serve(argc, argv) ? EXIT_SUCCESS : EXIT_FAILURE;

  int toServer[2], fromServer[2];
  if (pipe(toServer) != 0 || pipe(fromServer) != 0) {
    llvm::errs() << "error: cannot make pipes to the server\n";
    return EXIT_FAILURE;
  }
  // Before there are threads: the child goes on in this program's memory.
  pid_t child = fork();
  if (child < 0) {
    llvm::errs() << "error: cannot start the server\n";
    return EXIT_FAILURE;
  }
  if (child == 0) {
    dup2(toServer[0], STDIN_FILENO);
    dup2(fromServer[1], STDOUT_FILENO);
    for (int end : {toServer[0], toServer[1], fromServer[0], fromServer[1]})
      close(end);
    return serve(arguments.size(), arguments.data()) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  close(toServer[0]);
  close(fromServer[1]);
  std::signal(SIGPIPE, SIG_IGN);

  Messages messages;
  std::thread editor([&] {
    llvm::raw_fd_ostream out(toServer[1], /*shouldClose=*/true);
    relay(stdin, test ? Framing::Delimiter : Framing::Header, out, /*indented=*/false,
          [&](json::Object &message) { messages.fromEditor(message); });
    out.clear_error();
  });
  std::FILE *server = fdopen(fromServer[0], "r");
  relay(server, Framing::Header, llvm::outs(), /*indented=*/test,
        [&](json::Object &message) { messages.fromServer(message); });

  // The server has ended. The other thread may wait for an editor that says no more.
  int status = 0;
  waitpid(child, &status, 0);
  llvm::outs().flush();
  editor.detach();
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE);
}
