#include "oa/io/tensor/safetensors_header.h"

#include "oa/base/error.h"
#include "oa/base/printable.h"
#include "oa/io/bytes/lines.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

/// Builds a Header from the events of a JSON parser.
/// A builder knows its depth, the current tensor and the tensor's current field.
class HeaderBuilder : public nlohmann::json_sax<Json> {
 public:
  explicit HeaderBuilder(const std::string& where) : where_(where) {}

  [[nodiscard]] Header take_header() { return std::move(header_); }

  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("a truth value"); }
  bool number_integer(number_integer_t) override { return refuse("a negative number"); }
  bool number_float(number_float_t, const string_t& text) override {
    return refuse("the number " + text.substr(0, 40));
  }
  bool binary(binary_t&) override { return refuse("binary data"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (!in_array_) {
      return refuse("a number");
    }
    if (field_ == "shape") {
      if (tensor_.shape.size() == kMaxRank) {
        fail("has more than " + std::to_string(kMaxRank) + " dimensions");
      }
      if (value > kMaxData) {
        fail("has a dimension of " + std::to_string(value));
      }
      tensor_.shape.push_back(static_cast<std::int64_t>(value));
    } else {
      if (offsets_.size() == 2 || value > kMaxData) {
        fail("has impossible data_offsets");
      }
      offsets_.push_back(value);
    }
    return true;
  }

  bool string(string_t& value) override {
    if (depth_ == 2 && in_metadata_) {
      header_.metadata[field_] = value;
      return true;
    }
    if (depth_ == 2 && field_ == "dtype") {
      const auto dtype = dtype_named(value);
      if (!dtype) {
        fail("has unknown dtype '" + shown(value) + "'");
      }
      tensor_.dtype = *dtype;
      return true;
    }
    return refuse("a string");
  }

  bool start_object(std::size_t) override {
    if (depth_ == 0 || (depth_ == 1 && !name_.empty())) {
      ++depth_;
      seen_.clear();
      return true;
    }
    return refuse("an object");
  }

  bool end_object() override {
    --depth_;
    if (depth_ == 1 && !in_metadata_) {
      finish_tensor();
    }
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ == 2 && !in_metadata_ && !in_array_ &&
        (field_ == "shape" || field_ == "data_offsets")) {
      in_array_ = true;
      return true;
    }
    return refuse("an array");
  }

  bool end_array() override {
    in_array_ = false;
    return true;
  }

  bool key(string_t& key) override {
    if (depth_ == 1) {
      start_entry(key);
      return true;
    }
    if (!seen_.insert(key).second) {
      fail("has the key '" + shown(key) + "' twice");
    }
    if (!in_metadata_ && key != "dtype" && key != "shape" && key != "data_offsets") {
      fail("has the unknown key '" + shown(key) + "'");
    }
    field_ = key;
    return true;
  }

  bool parse_error(std::size_t position,
                   const std::string&,
                   const nlohmann::detail::exception&) override {
    throw InputError(where_ + ": the header is not JSON (byte " +
                     std::to_string(position) + " of it)");
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    const std::string who = in_metadata_  ? "__metadata__"
                            : depth_ == 0 ? "the header"
                                          : "tensor '" + shown(name_) + "'";
    throw InputError(where_ + ": " + who + " " + what);
  }
  [[noreturn]] bool refuse(const std::string& what) const {
    fail("has " + what + " where none belongs");
  }

  /// Formats a name for messages.
  static std::string shown(const std::string& name) {
    const std::string text = printable(name);
    return text.size() > 60 ? text.substr(0, 57) + "..." : text;
  }

  void start_entry(const std::string& key) {
    in_metadata_ = false;
    name_ = key;
    if (!names_.insert(key).second) {
      fail("appears twice");
    }
    if (key.empty() || key.size() > kMaxName || printable(key) != key) {
      fail("has a name that is empty, too long or not printable");
    }
    if (names_.size() > kMaxTensors) {
      fail("is one more than " + std::to_string(kMaxTensors) + " tensors");
    }
    in_metadata_ = key == "__metadata__";
    tensor_ = {};
    tensor_.name = key;
    offsets_.clear();
  }

  void finish_tensor() {
    for (const char* field : {"dtype", "shape", "data_offsets"}) {
      if (!seen_.contains(field)) {
        fail(std::string("lacks ") + field);
      }
    }
    if (offsets_.size() != 2 || offsets_[0] > offsets_[1]) {
      fail("has impossible data_offsets");
    }
    std::uint64_t size = size_of(tensor_.dtype);
    const bool none = std::ranges::find(tensor_.shape, 0) != tensor_.shape.end();
    for (const std::int64_t extent : tensor_.shape) {
      if (!none && static_cast<std::uint64_t>(extent) > kMaxData / size) {
        fail("has the impossible shape " + to_string(tensor_.shape));
      }
      size = none ? 0 : size * static_cast<std::uint64_t>(extent);
    }
    if (size != offsets_[1] - offsets_[0]) {
      fail("takes " + std::to_string(offsets_[1] - offsets_[0]) + " bytes, but " +
           std::string(name_of(tensor_.dtype)) + to_string(tensor_.shape) + " needs " +
           std::to_string(size));
    }
    tensor_.begin = static_cast<std::size_t>(offsets_[0]);
    tensor_.size = static_cast<std::size_t>(size);
    header_.tensors.push_back(std::move(tensor_));
  }

  const std::string& where_;
  Header header_;
  int depth_ = 0;
  bool in_metadata_ = false;
  bool in_array_ = false;
  std::string name_;   // key of the current entry
  std::string field_;  // current key in the entry
  std::set<std::string> names_;
  std::set<std::string> seen_;  // keys of the current object
  HeaderTensor tensor_;
  std::vector<std::uint64_t> offsets_;
};

/// Checks that the tensors cover the data without gap or overlap.
void check_layout(Header& header, const std::string& where) {
  std::ranges::stable_sort(header.tensors, {}, [](const HeaderTensor& t) {
    return std::pair(t.begin, t.begin + t.size);
  });
  std::size_t at = 0;
  for (const HeaderTensor& t : header.tensors) {
    if (t.begin != at) {
      throw InputError(where + ": the data of tensor '" + t.name + "' " +
                       (t.begin < at ? "overlap those of another" : "follow a gap") +
                       " (byte " + std::to_string(t.begin) + ", expected " +
                       std::to_string(at) + ")");
    }
    at += t.size;
  }
  header.data_size = at;
}

}  // namespace

Header parse_header(std::span<const std::byte> json, const std::string& where) {
  const std::string_view text = as_text(json);
  if (!text.starts_with('{')) {
    throw InputError(where + ": not safetensors (the header is not a JSON object)");
  }
  refuse_nul(text, where + ": the header");
  HeaderBuilder builder(where);
  Json::sax_parse(text, &builder);
  Header header = builder.take_header();
  check_layout(header, where);
  return header;
}

}  // namespace oa::io
