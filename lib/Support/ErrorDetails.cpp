#include "forge/Support/ErrorDetails.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <deque>
#include <mutex>
#include <optional>

using namespace forge;

void ErrorDetails::fillFrom(const ErrorDetails &others) {
  auto fill = [](std::string &mine, const std::string &theirs) {
    if (mine.empty())
      mine = theirs;
  };
  fill(stage, others.stage);
  fill(kernel, others.kernel);
  fill(location, others.location);
  fill(shape, others.shape);
  fill(schedule, others.schedule);
  fill(advice, others.advice);
}

namespace {
/// The last errors of which more than the message is known.
class KnownErrors {
public:
  void add(const std::string &message, const ErrorDetails &details) {
    std::lock_guard<std::mutex> lock(mutex);
    auto same = std::find_if(entries.begin(), entries.end(),
                             [&](const Entry &entry) { return entry.message == message; });
    if (same != entries.end())
      return same->details.fillFrom(details);
    entries.push_back({message, details});
    if (entries.size() > kMost)
      entries.pop_front();
  }

  ErrorDetails find(const std::string &message) {
    std::lock_guard<std::mutex> lock(mutex);
    const Entry *longest = nullptr;
    for (const Entry &entry : entries)
      if (!entry.message.empty() && message.find(entry.message) != std::string::npos &&
          (!longest || entry.message.size() >= longest->message.size()))
        longest = &entry;
    return longest ? longest->details : ErrorDetails();
  }

private:
  static constexpr size_t kMost = 64;
  struct Entry {
    std::string message;
    ErrorDetails details;
  };
  std::mutex mutex;
  std::deque<Entry> entries;
};
} // namespace

static KnownErrors &knownErrors() {
  static KnownErrors *known = new KnownErrors; // errors are printed up to the end of the process
  return *known;
}

Error forge::withDetails(Error error, const ErrorDetails &details) {
  ErrorDetails all = knownErrors().find(error.message);
  all.fillFrom(details);
  knownErrors().add(error.message, all);
  return error;
}

ErrorDetails forge::knownDetails(const std::string &message) { return knownErrors().find(message); }

static const char *severityText(Severity severity) {
  return severity == Severity::Error     ? "error"
         : severity == Severity::Warning ? "warning"
                                         : "remark";
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

static std::string onOneLine(std::string text) {
  for (char &c : text)
    c = c == '\n' || c == '\r' ? ' ' : c;
  return text;
}

static std::string line(const std::string &location, const char *severity,
                        const std::string &message) {
  return (location.empty() ? "" : location + ": ") + severity + ": " + onOneLine(message) + "\n";
}

/// "in phase kernels, kernel rows, tensor<4x8xf32>, by generic; threads 64".
static std::string contextText(const ErrorDetails &details) {
  std::string text = "kernel " + details.kernel;
  if (!details.stage.empty())
    text = "in " + details.stage + ", " + text;
  if (!details.shape.empty())
    text += ", " + details.shape;
  if (!details.schedule.empty())
    text += ", by " + details.schedule;
  return text;
}

std::string forge::diagnosticLines(const DiagnosticText &diagnostic) {
  const ErrorDetails &details = diagnostic.details;
  std::string text = line(details.location, severityText(diagnostic.severity), diagnostic.message);
  for (const DiagnosticText::Note &note : diagnostic.notes)
    text += line(note.location, "note", note.message);
  auto isNew = [&](const std::string &field) {
    return diagnostic.message.find(field) == std::string::npos;
  };
  if (!details.kernel.empty() &&
      (isNew(details.kernel) || isNew(details.shape) || isNew(details.schedule)))
    text += line("", "note", contextText(details));
  if (!details.advice.empty())
    text += line("", "note", "try " + details.advice);
  return text;
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

/// Bytes of the character of UTF-8 that begins at `at`, or 0 if it is none.
static size_t lengthOfCharacter(const std::string &text, size_t at) {
  auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  size_t length = byte(at) < 0x80                        ? 1
                  : byte(at) >= 0xC2 && byte(at) <= 0xDF ? 2
                  : byte(at) >= 0xE0 && byte(at) <= 0xEF ? 3
                  : byte(at) >= 0xF0 && byte(at) <= 0xF4 ? 4
                                                         : 0;
  if (length == 0 || at + length > text.size())
    return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80)
      return 0;
  // No surrogates, nothing beyond 10FFFF, nothing that is longer than it has to be.
  unsigned char second = length > 1 ? byte(at + 1) : 0;
  if ((byte(at) == 0xE0 && second < 0xA0) || (byte(at) == 0xED && second > 0x9F) ||
      (byte(at) == 0xF0 && second < 0x90) || (byte(at) == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

/// Bytes that are no text become the replacement character.
static std::string jsonText(const std::string &text) {
  std::string json = "\"";
  for (size_t at = 0; at < text.size();) {
    size_t length = lengthOfCharacter(text, at);
    auto c = static_cast<unsigned char>(text[at]);
    if (length == 0) {
      json += "\\ufffd";
    } else if (c == '"' || c == '\\') {
      json += {'\\', text[at]};
    } else if (c < 0x20) {
      std::array<char, 8> escape;
      std::snprintf(escape.data(), escape.size(), "\\u%04x", c);
      json += escape.data();
    } else {
      json += text.substr(at, length);
    }
    at += std::max<size_t>(length, 1);
  }
  return json + "\"";
}

static std::string quotedOrNull(const std::string &text) {
  return text.empty() ? "null" : jsonText(text);
}

/// The number behind the last colon of `text`, which it takes away with it.
static std::optional<std::string> takeNumber(std::string &text) {
  size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon + 1 == text.size() || text.size() - colon > 10 ||
      text.find_first_not_of("0123456789", colon + 1) != std::string::npos)
    return std::nullopt;
  std::string number = text.substr(colon + 1);
  text.resize(colon);
  number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
  return number;
}

static std::string locationJson(const std::string &location) {
  if (location.empty())
    return "null";
  std::string file = location;
  std::optional<std::string> column = takeNumber(file),
                             row = column ? takeNumber(file) : std::nullopt;
  if (column && !row)
    std::swap(row, column);
  return "{\"file\": " + jsonText(file) + ", \"line\": " + row.value_or("null") +
         ", \"column\": " + column.value_or("null") + "}";
}

std::string forge::diagnosticJson(const DiagnosticText &diagnostic) {
  const ErrorDetails &details = diagnostic.details;
  std::string json = std::string("{\"severity\": \"") + severityText(diagnostic.severity) +
                     "\", \"message\": " + jsonText(diagnostic.message) +
                     ", \"stage\": " + quotedOrNull(details.stage) +
                     ", \"kernel\": " + quotedOrNull(details.kernel) +
                     ", \"location\": " + locationJson(details.location) +
                     ", \"shape\": " + quotedOrNull(details.shape) +
                     ", \"schedule\": " + quotedOrNull(details.schedule) +
                     ", \"try\": " + quotedOrNull(details.advice) + ", \"notes\": [";
  for (size_t i = 0; i < diagnostic.notes.size(); ++i)
    json += (i ? ", " : "") + ("{\"message\": " + jsonText(diagnostic.notes[i].message)) +
            ", \"location\": " + locationJson(diagnostic.notes[i].location) + "}";
  return json + "]}\n";
}

static std::atomic<bool> writesJson = false;

void forge::setJsonDiagnostics(bool asJson) { writesJson = asJson; }
bool forge::areJsonDiagnostics() { return writesJson; }

std::string forge::formatDiagnostic(const DiagnosticText &diagnostic) {
  return writesJson ? diagnosticJson(diagnostic) : diagnosticLines(diagnostic);
}
