#include "oa/io/machine/spin_array.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/machine/cim_log.h"
#include "oa/io/table/json_fields-inl.h"
#include "oa/io/tensor/npy.h"
#include "oa/io/tensor/tensor_stats.h"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kBlanks = " \t\r\n";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

/// Collects rows; refuses values other than -1 and 1.
class Rows {
 public:
  explicit Rows(std::string where) : where_(std::move(where)) {}

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_ + ": " + what);
  }
  [[nodiscard]] std::string row() const {
    return "row " + format(std::ssize(rows_) - (open_ ? 1 : 0));
  }

  void begin() {
    if (std::ssize(rows_) >= kMaxShots) {
      fail("over " + format(kMaxShots) + " runs");
    }
    rows_.emplace_back();
    open_ = true;
  }
  void spin(std::optional<double> value) {
    machine::Bits& to = rows_.back();
    if (std::ssize(to) >= kMaxShotSize) {
      fail(row() + ": over " + format(kMaxShotSize) + " spins");
    }
    if (!value || (*value != 1.0 && *value != -1.0)) {
      fail(row() + ", spin " + format(std::ssize(to)) + " is " +
           (value ? format(*value) : "not a number") + " (expected -1 or 1)");
    }
    to.push_back(*value > 0.0 ? 1 : 0);
  }
  void end() {
    if (rows_.back().empty()) {
      fail(row() + " is empty (expected spins)");
    }
    if (rows_.back().size() != rows_.front().size()) {
      fail(row() + " has " + format(std::ssize(rows_.back())) +
           " spins, but row 0 has " + format(std::ssize(rows_.front())));
    }
    open_ = false;
  }
  std::vector<machine::Bits> take() {
    if (rows_.empty()) {
      fail("no runs (expected rows of spins)");
    }
    return std::move(rows_);
  }

 private:
  std::string where_;
  std::vector<machine::Bits> rows_;
  bool open_ = false;  // the last row is incomplete
};

std::vector<machine::Bits> rows_of_npy(std::string_view text,
                                       const std::string& where) {
  Input input = Input::memory(bytes_of(text), where);
  const NpyArray array = read_npy(input);
  const Shape& shape = array.shape;
  Rows rows(where);
  if (shape.empty() || shape.size() > 2) {
    rows.fail("an array of shape " + to_string(shape) + " (expected (runs, spins))");
  }
  const std::int64_t runs = shape.size() == 1 ? 1 : shape[0];
  const std::int64_t spins = shape.back();
  for (std::int64_t r = 0; r < runs; ++r) {
    rows.begin();
    for (std::int64_t k = 0; k < spins; ++k) {
      rows.spin(element(
          array.dtype, array.data.span(), static_cast<std::size_t>(r * spins + k)));
    }
    rows.end();
  }
  return rows.take();
}

/// Reads [[1, -1, ...], ...].
class SpinHandler : public NumberSax {
 public:
  explicit SpinHandler(const std::string& where) : rows_(where) {}

  std::vector<machine::Bits> take() { return rows_.take(); }

  bool start_object(std::size_t /*elements*/) override {
    rows_.fail(rows_.row() + ": an object (expected lists of -1 and 1)");
  }
  bool key(string_t& /*name*/) override { return false; }
  bool end_object() override { return false; }
  bool start_array(std::size_t /*elements*/) override {
    if (++depth_ > 2) {
      rows_.fail(rows_.row() + ": a list in the list (expected -1 and 1)");
    }
    if (depth_ == 2) {
      rows_.begin();
    }
    return true;
  }
  bool end_array() override {
    if (depth_-- == 2) {
      rows_.end();
    }
    return true;
  }
  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const Json::exception& error) override {
    // nlohmann reports numbers such as 1e999 by exception 406.
    rows_.fail(error.id == 406 ? rows_.row() + ": a number too large"
                               : "not JSON at byte " + std::to_string(position));
  }

 private:
  bool value(std::optional<double> number) override {
    if (depth_ < 2) {
      rows_.fail(rows_.row() + " is not a list (expected spins)");
    }
    rows_.spin(number);
    return true;
  }

  Rows rows_;
  int depth_ = 0;
};

}  // namespace

bool looks_like_spin_array(std::string_view text) {
  if (looks_like_npy(bytes_of(text.substr(0, 16)))) {
    return true;
  }
  const auto first = text.find_first_not_of(kBlanks);
  if (first == text.npos || text[first] != '[') {
    return false;
  }
  const auto second = text.find_first_not_of(kBlanks, first + 1);
  return second != text.npos && text[second] == '[';
}

std::vector<machine::Bits> read_spin_array(std::string_view text,
                                           const std::string& where) {
  if (text.size() > kMaxResultBytes) {
    throw InputError(where + ": over 64 MiB");
  }
  if (looks_like_npy(bytes_of(text.substr(0, 16)))) {
    return rows_of_npy(text, where);
  }
  refuse_nul(text, where);
  SpinHandler handler(where);
  Json::sax_parse(text, &handler);
  return handler.take();
}

}  // namespace oa::io
