#include "forge/Endpoint/ChatEndpoint.h"

#include "Curl.h"

#include "forge/Checkpoint/Json.h"

#include <cmath>
#include <memory>

using namespace forge;
using nlohmann::json;

/// Of an answer that is shown in a message.
static constexpr size_t kMostShown = 200;

namespace {
/// What has come so far. It stays within the limit.
struct Body {
  std::string text;
  size_t most;
  bool isTooLong = false;
};
} // namespace

/// libcurl's: less than all gives the transfer up.
static size_t receive(char *data, size_t size, size_t count, void *into) {
  auto *body = static_cast<Body *>(into);
  size_t bytes = size * count;
  if (bytes > body->most - body->text.size()) {
    body->isTooLong = true;
    return 0;
  }
  body->text.append(data, bytes);
  return bytes;
}

/// The beginning of what a server sent, on one line.
static std::string shown(const std::string &text) {
  std::string line = text.substr(0, kMostShown);
  for (char &c : line)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~')
      c = ' ';
  return line.empty() ? "nothing" : "'" + line + "'";
}

static std::string requestBody(const ChatEndpoint &endpoint, const std::string &instructions,
                               const std::string &question) {
  json body = {{"model", endpoint.model},
               {"messages",
                {{{"role", "system"}, {"content", instructions}},
                 {{"role", "user"}, {"content", question}}}}};
  return body.dump(-1, ' ', false, json::error_handler_t::replace);
}

namespace {
/// One transfer: what libcurl reads during it is kept here.
class Transfer {
public:
  Transfer(const Curl &curl, const ChatEndpoint &endpoint, std::string request)
      : curl(curl), request(std::move(request)), body{{}, endpoint.mostBytes},
        handle(curl.init(), curl.cleanup), headers(nullptr, curl.freeAll) {
    add("Content-Type: application/json");
    // Else large requests wait for a "100 Continue" that few servers send.
    add("Expect:");
    if (!endpoint.key.empty())
      add("Authorization: Bearer " + endpoint.key);
    setUp(endpoint);
  }

  Result<std::string> run(double mostSeconds);

private:
  void add(const std::string &header) {
    if (curl_slist *longer = curl.append(headers.get(), header.c_str())) {
      (void)headers.release();
      headers.reset(longer);
    }
  }
  void setUp(const ChatEndpoint &endpoint);
  template <typename T> void set(CURLoption option, T value) {
    if (CURLcode code = curl.setopt(handle.get(), option, value); code != CURLE_OK)
      problem = code;
  }

  const Curl &curl;
  std::string request;
  Body body;
  std::unique_ptr<CURL, decltype(Curl::cleanup)> handle;
  std::unique_ptr<curl_slist, decltype(Curl::freeAll)> headers;
  CURLcode problem = CURLE_OK;
  char message[CURL_ERROR_SIZE] = "";
};
} // namespace

void Transfer::setUp(const ChatEndpoint &endpoint) {
  if (!handle) {
    problem = CURLE_FAILED_INIT;
    return;
  }
  std::string url = endpoint.url;
  while (url.ends_with("/"))
    url.pop_back();
  set(CURLOPT_URL, (url + "/chat/completions").c_str());
  set(CURLOPT_PROTOCOLS_STR, "http,https");
  set(CURLOPT_FOLLOWLOCATION, 0L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_ERRORBUFFER, message);
  set(CURLOPT_TIMEOUT_MS, std::max(1L, std::lround(endpoint.mostSeconds * 1e3)));
  set(CURLOPT_HTTPHEADER, headers.get());
  set(CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request.size()));
  set(CURLOPT_POSTFIELDS, request.c_str());
  set(CURLOPT_WRITEFUNCTION, receive);
  set(CURLOPT_WRITEDATA, &body);
}

/// The body of an answer with status 200.
Result<std::string> Transfer::run(double mostSeconds) {
  CURLcode code = problem == CURLE_OK ? curl.perform(handle.get()) : problem;
  if (body.isTooLong)
    return Error{"expected an answer of at most " + std::to_string(body.most) +
                 " bytes, but got more"};
  if (code == CURLE_OPERATION_TIMEDOUT)
    return Error{"expected an answer within " + json(mostSeconds).dump() +
                 " s, but it is not there"};
  if (code != CURLE_OK)
    return Error{"no answer: " + std::string(message[0] ? message : curl.strerror(code))};
  long status = 0;
  curl.getinfo(handle.get(), CURLINFO_RESPONSE_CODE, &status);
  if (status != 200)
    return Error{"expected HTTP status 200, but got " + std::to_string(status) + " with " +
                 shown(body.text)};
  return std::move(body.text);
}

/// choices[0].message.content of an answer.
static Result<std::string> contentOf(const std::string &answer) {
  Result<json> parsed = parseJsonObject(answer);
  if (!parsed)
    return Error{"expected a chat completion, but got " + shown(answer) + ": " +
                 parsed.error().message};
  const json *at = &*parsed;
  auto choices = at->find("choices");
  if (choices != at->end() && choices->is_array() && !choices->empty() &&
      choices->front().is_object()) {
    auto message = choices->front().find("message");
    if (message != choices->front().end() && message->is_object()) {
      auto content = message->find("content");
      if (content != message->end() && content->is_string())
        return content->get<std::string>();
    }
  }
  return Error{"expected a chat completion with a text as choices[0].message.content, but got " +
               shown(answer)};
}

Result<std::string> forge::askModel(const ChatEndpoint &endpoint, const std::string &instructions,
                                    const std::string &question) {
  const Result<Curl> &curl = Curl::get();
  if (!curl)
    return Error{endpoint.url + ": " + curl.error().message};
  Result<std::string> answer =
      Transfer(*curl, endpoint, requestBody(endpoint, instructions, question))
          .run(endpoint.mostSeconds);
  Result<std::string> content = answer ? contentOf(*answer) : answer;
  if (!content)
    return Error{endpoint.url + ": " + content.error().message};
  return content;
}
