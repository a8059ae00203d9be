// chat-server ANSWERS REQUESTS COMMAND...: runs COMMAND, in whose words {URL} is that of an
// endpoint on this machine, and ends with its status. A test's stand-in for a language model.
//
// ANSWERS has a JSON object a line, one for each request, the last for all that come after:
//   {"content": "..."}   status 200, a chat completion with this text; {HASH} in it is the hash of
//                        the kernel that the request is about
//   {"status": 500, "body": "..."}
//   {"letters": 2000000} status 200, a body of so many letters
//   {"hang": true}       nothing, until the client gives up
//   {"close": true}      nothing, and the connection is closed
// What was asked is in REQUESTS, the bodies of the requests, one a line, behind it the header
// lines "Authorization" and the request's first line.
#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <arpa/inet.h>
#include <csignal>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

using nlohmann::json;

namespace {
struct Request {
  std::string head, body;
};

/// Ends at the end of the connection, too.
Request receive(int connection) {
  std::string text;
  size_t end = std::string::npos, length = 0;
  char buffer[4096];
  while (end == std::string::npos || text.size() < end + length) {
    ssize_t count = read(connection, buffer, sizeof buffer);
    if (count <= 0)
      break;
    text.append(buffer, size_t(count));
    if (end == std::string::npos && (end = text.find("\r\n\r\n")) != std::string::npos) {
      end += 4;
      size_t header = text.find("Content-Length: ");
      length = header < end ? std::stoul(text.substr(header + std::strlen("Content-Length: "))) : 0;
    }
  }
  end = std::min(end, text.size());
  return {text.substr(0, end), text.substr(end)};
}

void replaceAll(std::string &text, const std::string &what, const std::string &by) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

/// That of "Kernel HASH, launched" in the question.
std::string hashIn(const std::string &request) {
  size_t at = request.find("Kernel ");
  return at == std::string::npos ? "" : request.substr(at + std::strlen("Kernel "), 32);
}

std::string completion(const json &answer, const std::string &request) {
  std::string content = answer.at("content");
  replaceAll(content, "{HASH}", hashIn(request));
  return json{
      {"choices", {{{"index", 0}, {"message", {{"role", "assistant"}, {"content", content}}}}}}}
      .dump();
}

void send(int connection, int status, const std::string &body) {
  std::string text = "HTTP/1.1 " + std::to_string(status) +
                     " Answer\r\nContent-Type: application/json\r\nConnection: close\r\n"
                     "Content-Length: " +
                     std::to_string(body.size()) + "\r\n\r\n" + body;
  for (size_t sent = 0; sent < text.size();) {
    ssize_t count = ::send(connection, text.data() + sent, text.size() - sent, MSG_NOSIGNAL);
    if (count <= 0)
      return;
    sent += size_t(count);
  }
}

/// Until the client closes the connection.
void hang(int connection) {
  char buffer[64];
  while (read(connection, buffer, sizeof buffer) > 0) {
  }
}

void answer(int connection, const json &how, const Request &request) {
  if (how.contains("hang"))
    hang(connection);
  else if (how.contains("letters"))
    send(connection, 200, std::string(how["letters"].get<size_t>(), 'x'));
  else if (how.contains("status"))
    send(connection, how["status"], how["body"]);
  else if (how.contains("content"))
    send(connection, 200, completion(how, request.body));
}

void note(std::ofstream &log, const Request &request) {
  log << request.body << "\n" << request.head.substr(0, request.head.find("\r\n")) << "\n";
  size_t key = request.head.find("Authorization: ");
  if (key != std::string::npos)
    log << request.head.substr(key, request.head.find("\r\n", key) - key) << "\n";
  log.flush();
}

void serve(int listener, const std::vector<json> &answers, const std::string &logFile) {
  std::ofstream log(logFile);
  for (size_t number = 0;; ++number) {
    int connection = accept(listener, nullptr, nullptr);
    if (connection < 0)
      return;
    Request request = receive(connection);
    note(log, request);
    answer(connection, answers[std::min(number, answers.size() - 1)], request);
    close(connection);
  }
}

/// Status of the command; in its words {URL} is replaced.
int run(std::vector<std::string> words, const std::string &url) {
  std::vector<char *> arguments;
  for (std::string &word : words) {
    replaceAll(word, "{URL}", url);
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  pid_t child = fork();
  if (child == 0) {
    setenv("no_proxy", "127.0.0.1", 1);
    execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/// On a port that the system chooses, 0 if that fails.
int portOf(int listener) {
  sockaddr_in address = {};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto *any = reinterpret_cast<sockaddr *>(&address);
  bool isOpen = bind(listener, any, size) == 0 && listen(listener, 8) == 0 &&
                getsockname(listener, any, &size) == 0;
  return isOpen ? ntohs(address.sin_port) : 0;
}
} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    std::cerr << "expected chat-server ANSWERS REQUESTS COMMAND...\n";
    return 2;
  }
  std::vector<json> answers;
  std::ifstream file(argv[1]);
  for (std::string line; std::getline(file, line);)
    answers.push_back(json::parse(line));
  int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  int port = portOf(listener);
  if (answers.empty() || port == 0) {
    std::cerr << "expected answers in " << argv[1] << ", and a port\n";
    return 2;
  }
  std::thread server(serve, listener, std::cref(answers), std::string(argv[2]));
  int status = run({argv + 3, argv + argc}, "http://127.0.0.1:" + std::to_string(port) + "/v1");
  // The thread ends with the process: it may be in a request that nobody waits for.
  server.detach();
  std::cout.flush();
  _exit(status);
}
