#include "app/view/parts.h"

#include "oa/base/number.h"
#include "oa/base/printable.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace oa::app {
namespace {

/// Element `i` without rounding.
JsonValue json_value(const io::TensorView& t, std::size_t i) {
  const double value = element(t.dtype, t.bytes, i);
  switch (t.dtype) {
    case io::Dtype::F16:
    case io::Dtype::Bf16:
    case io::Dtype::F32: {
      const std::string text = format(static_cast<float>(value));
      const auto whole = parse_int(text);
      return whole ? JsonValue(whole) : JsonValue(parse_double(text));
    }
    case io::Dtype::F64: return value;
    case io::Dtype::U64: return io::load<std::uint64_t>(t.bytes, i);
    case io::Dtype::I64: return io::load<std::int64_t>(t.bytes, i);
    default: return static_cast<std::int64_t>(value);
  }
}

JsonObject json_of(const io::TensorView& t, bool with_values) {
  JsonObject json{{"name", t.name}};
  each_fact(t, with_values, [&](std::string_view name, const JsonValue& value) {
    json.member(name, value);
  });
  return json;
}

std::string line_of(const io::TensorView& t, std::size_t name_width) {
  const io::TensorStats s = tensor_stats(t.dtype, t.bytes);
  std::string line = "  " + padded(t.name, name_width) + "  " +
                     padded(std::string(name_of(t.dtype)) + io::to_string(t.shape), 16);
  if (s.count == 1 && s.not_finite == 0) {
    line += "  " + brief(s.min);
  } else if (s.count > s.not_finite) {
    line +=
        "  min " + brief(s.min) + "  mean " + brief(s.mean) + "  max " + brief(s.max);
  }
  if (s.not_finite > 0) {
    line += "  not finite " + format(s.not_finite);
  }
  return line + "\n";
}

/// Indents all lines of a metadata value except the first.
std::string indented(std::string_view text) {
  std::string out;
  while (true) {
    const auto end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == text.npos) {
      return out;
    }
    out += "\n    ";
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string brief(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(
      text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
  return {text.data(), end.ptr};
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) {
    text.resize(width, ' ');
  }
  return text;
}

std::string bold(std::string_view text, bool color) {
  return color ? "\x1b[1m" + std::string(text) + "\x1b[0m" : std::string(text);
}

void Facts::align(std::size_t width) {
  line_.insert(name_, std::max(width, name_) - name_, ' ');
}

JsonArray json_values(const io::TensorView& t) {
  JsonArray values;
  for (std::size_t i = 0; i < t.bytes.size() / size_of(t.dtype); ++i) {
    values.element(json_value(t, i));
  }
  return values;
}

JsonObject json_of(const io::Safetensors& file, bool with_values) {
  JsonObject metadata;
  for (const auto& [key, value] : file.metadata) {
    metadata.member(key, value);
  }
  JsonArray tensors;
  for (const io::TensorView& t : file.tensors()) {
    tensors.element(json_of(t, with_values));
  }
  return {{"metadata", metadata}, {"tensors", tensors}};
}

std::string text_of(const io::Safetensors& file) {
  std::string text;
  for (const auto& [key, value] : file.metadata) {
    text += "  " + printable(key) + " = " + indented(value) + "\n";
  }
  std::size_t width = 0;
  for (const io::TensorView& t : file.tensors()) {
    width = std::max(width, t.name.size());
  }
  for (const io::TensorView& t : file.tensors()) {
    text += line_of(t, width);
  }
  return text;
}

}  // namespace oa::app
