#pragma once

#include "app/view/describe.h"
#include "oa/base/counted.h"
#include "oa/base/json_text.h"
#include "oa/io/bytes/input.h"
#include "oa/io/tensor/safetensors.h"
#include "oa/io/tensor/tensor_stats.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oa::app {

// Building blocks of descriptions of files.

/// Formats a number with four significant digits.
[[nodiscard]] std::string brief(double value);
[[nodiscard]] std::string padded(std::string text, std::size_t width);
[[nodiscard]] std::string bold(std::string_view text, bool color);

/// Facts about one object, as a JSON object and a line of text.
class Facts {
 public:
  Facts(std::string_view member, std::string_view value)
      : json_{{member, value}},
        line_(value) {}

  void operator()(std::string_view name, const JsonValue& value) {
    both(name, value, value.text());
  }
  void operator()(std::string_view name, double value) {
    both(name, value, brief(value));
  }
  void operator()(std::string_view name, std::string_view value) {
    both(name, value, value);
  }

  /// Adds a fact, which the line of text shows as `text`.
  void both(std::string_view name, const JsonValue& value, std::string_view text) {
    json_.member(name, value);
    line_ += "  " + std::string(name) + " " + std::string(text);
  }
  /// Adds a fact that the line of text omits.
  void only_json(std::string_view name, const JsonValue& value) {
    json_.member(name, value);
  }
  void only_text(std::string_view text) { line_ += "  " + std::string(text); }

  [[nodiscard]] const JsonObject& json() const { return json_; }
  [[nodiscard]] const std::string& line() const { return line_; }

  /// Pads the beginning of the line to `width`.
  void align(std::size_t width);
  [[nodiscard]] std::size_t name_width() const { return name_; }

 private:
  JsonObject json_;
  std::string line_;
  std::size_t name_ = line_.size();
};

/// The description of a file that is no stream, model or archive.
struct Description {
  Facts facts;
  std::string summary = {};  ///< "IDX array (5,16)"
  std::string parts = {};    ///< name of the list of parts, such as "columns"
  std::vector<Facts> list = {};
  bool verified = true;  ///< false: a plain text has nothing to check
};

/// Reads and checks a file.  If `values`, the description has all elements of arrays.
using Describe = Description (*)(io::Input& input, bool values);

/// Chooses the reader by the start of `input`;
/// null for a stream, a file of tensors or an unknown file.
[[nodiscard]] Describe reader_of(io::Input& input);

/// Formats all elements of a tensor without rounding.
[[nodiscard]] JsonArray json_values(const io::TensorView& t);

/// Calls `fact(name, value)` for each fact about a tensor.
void each_fact(const io::TensorView& t, bool with_values, const auto& fact) {
  const io::TensorStats s = tensor_stats(t.dtype, t.bytes);
  fact("dtype", name_of(t.dtype));
  fact("shape", JsonValue(t.shape));
  if (s.count > s.not_finite) {
    fact("min", s.min);
    fact("mean", s.mean);
    fact("max", s.max);
    fact("zeros", JsonValue(s.zeros));
  }
  fact("not_finite", JsonValue(s.not_finite));
  if (with_values) {
    fact("values", JsonValue(json_values(t)));
  }
}

[[nodiscard]] io::CutResult describe_stream(io::Input& input,
                                            io::Output& output,
                                            const DescribeSettings& settings);
[[nodiscard]] CheckResult check_stream(io::Input& input);

/// Describes a file of tensors as text, and as JSON.
[[nodiscard]] std::string text_of(const io::Safetensors& file);
[[nodiscard]] JsonObject json_of(const io::Safetensors& file, bool with_values);

}  // namespace oa::app
