// The metadata of a GGUF file, as keys of config.json.
#ifndef FORGE_LIB_IMPORT_HUGGINGFACE_GGUFMETADATA_H
#define FORGE_LIB_IMPORT_HUGGINGFACE_GGUFMETADATA_H

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>

namespace forge::huggingface {

/// Reads the keys behind "ARCHITECTURE."; the first problem is remembered.
class GgufMetadata {
public:
  /// `values` outlives it.
  GgufMetadata(const nlohmann::json &values, std::string architecture)
      : values(values), architecture(std::move(architecture)) {}

  bool has(const std::string &key) const { return find(key); }
  /// A finite number; none without the key.
  std::optional<double> number(const std::string &key);
  std::string text(const std::string &key, const char *otherwise);
  /// A size from 1 to 2^31 - 1; none without the key.
  std::optional<int64_t> size(const std::string &key);
  /// Puts the value of `key`, a finite number, under `name` into `config`, if there is one;
  /// "rope_scaling.factor" is `factor` of an object in it. `required`: there must be.
  void number(const std::string &key, const std::string &name, nlohmann::json &config,
              bool required = false);
  /// The same of a size.
  void size(const std::string &key, const std::string &name, nlohmann::json &config,
            bool required = false);
  /// Says where a value under `name` comes from that was made of others.
  void derive(const std::string &name, const std::string &from) { sources[name] = from; }

  void fail(const std::string &key, const std::string &expected);
  void failOf(const std::string &what, const std::string &expected, const std::string &got);
  const std::string &error() const { return message; }
  /// By keys of config.json, as `number` takes them, what of the file they come from.
  const std::map<std::string, std::string> &origins() const { return sources; }

private:
  const nlohmann::json *find(const std::string &key) const;
  void put(const std::string &key, const std::string &name, nlohmann::json &config);
  void failSize(const std::string &key);

  const nlohmann::json &values;
  std::string architecture, message;
  std::map<std::string, std::string> sources;
};

/// A message about config.json as one about the file: with `origins` in the place of keys.
std::string withOrigins(const std::string &message,
                        const std::map<std::string, std::string> &origins);

} // namespace forge::huggingface

#endif // FORGE_LIB_IMPORT_HUGGINGFACE_GGUFMETADATA_H
