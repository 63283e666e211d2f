#include "oa/io/table/json_tree.h"

#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/table/json_lists.h"

#include <nlohmann/json.hpp>

#include <bit>

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kDeepest = 64;  // limit of levels

/// Splits a 64-bit integer into two doubles.
template <class Integer>
TwoDoubles in_two_doubles(Integer value) {
  const auto high = static_cast<double>(value - value % (Integer{1} << 32));
  ExactSum sum;
  sum.add(high);
  sum.add(static_cast<double>(value % (Integer{1} << 32)));
  return sum.two();
}

}  // namespace

/// Builds the tree from the events of the parser.
class JsonTree::Builder : public nlohmann::json_sax<Json> {
 public:
  Builder(JsonTree& tree, const Input& input) : tree_(tree), input_(input) {}

  bool null() override { return add(Kind::Null); }
  bool boolean(bool value) override { return add(value ? Kind::True : Kind::False); }
  bool number_integer(number_integer_t value) override {
    return add(Kind::Negative, std::bit_cast<std::uint64_t>(value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add(Kind::Unsigned, value);
  }
  bool number_float(number_float_t value, const string_t& text) override {
    if (rounds_integer(text)) {
      why_ = "the whole number " + text.substr(0, 40) +
             " (expected 64 bits, or an exponent)";
      return false;
    }
    const bool more = add(Kind::Float);
    tree_.entries_.back().value = value;
    return more;
  }
  bool string(string_t& value) override {
    tree_.strings_ += value;
    tree_.ends_.push_back(tree_.strings_.size());
    return add(Kind::String, tree_.ends_.size() - 1);
  }
  bool binary(binary_t& /*value*/) override { return false; }
  bool key(string_t& name) override { return string(name); }
  bool start_object(std::size_t /*size*/) override { return enter(Kind::Object); }
  bool end_object() override { return leave(); }
  bool start_array(std::size_t /*size*/) override { return enter(Kind::Array); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const nlohmann::detail::exception& error) override {
    constexpr int kOutOfRange = 406;
    if (error.id == kOutOfRange) {
      why_ = "a number that a double cannot hold";
    }
    failed_at_ = position;
    return false;
  }

  /// Error message about the values; empty if the text is not JSON.
  [[nodiscard]] const std::string& why() const { return why_; }
  [[nodiscard]] std::size_t failed_at() const { return failed_at_; }
  /// True if a whole value was read.
  [[nodiscard]] bool complete() const {
    return open_.empty() && !tree_.entries_.empty();
  }

 private:
  bool add(Kind kind, std::uint64_t number = 0) {
    constexpr std::size_t kOften = 1 << 16;
    Entry& entry = tree_.entries_.emplace_back();
    entry.kind = kind;
    entry.number = number;
    if (tree_.entries_.size() % kOften == 0 && input_.stopped()) {
      why_ = "reading was stopped";
      return false;
    }
    return true;
  }
  bool enter(Kind kind) {
    open_.push_back(tree_.entries_.size());
    if (open_.size() > kDeepest) {
      why_ = "nested too deeply";
      return false;
    }
    return add(kind);
  }
  bool leave() {
    tree_.entries_[open_.back()].end = tree_.entries_.size();
    open_.pop_back();
    return true;
  }

  JsonTree& tree_;
  const Input& input_;
  std::vector<std::size_t> open_;  // indices of open arrays and objects
  std::string why_;
  std::size_t failed_at_ = 0;
};

JsonTree::JsonTree(std::string_view text, const Input& input) {
  refuse_nul(text, input.name());
  Builder builder(*this, input);
  if (!Json::sax_parse(text, &builder)) {
    const std::size_t at = builder.failed_at();
    const bool second = builder.complete() && at > 0 && at <= text.size() &&
                        (text[at - 1] == '{' || text[at - 1] == '[');
    throw InputError(!builder.why().empty() ? input.name() + ": " + builder.why()
                     : second               ? two_documents(text, at, input.name())
                                            : not_json(text, at, input.name()));
  }
}

std::string_view JsonTree::string(std::size_t entry) const {
  const std::size_t k = entries_[entry].number;
  const std::size_t from = k == 0 ? 0 : ends_[k - 1];
  return std::string_view(strings_).substr(from, ends_[k] - from);
}

JsonNode::Iterator& JsonNode::Iterator::operator++() {
  const JsonNode node = **this;
  at_ = node.is_array() || node.is_object() ? node.entry().end : at_ + 1;
  at_ += object_ ? 1 : 0;
  return *this;
}

TwoDoubles JsonNode::number() const {
  switch (kind()) {
    case JsonTree::Kind::Unsigned: return in_two_doubles(entry().number);
    case JsonTree::Kind::Negative:
      return in_two_doubles(std::bit_cast<std::int64_t>(entry().number));
    default: return entry().value;
  }
}

std::size_t JsonNode::size() const {
  std::size_t count = 0;
  for (Iterator at = begin(); at != end(); ++at) {
    ++count;
  }
  return count;
}

JsonNode::Iterator JsonNode::begin() const {
  return {*tree_, at_ + (is_object() ? 2 : 1), is_object()};
}

JsonNode::Iterator JsonNode::end() const {
  return {*tree_, entry().end + (is_object() ? 1 : 0), is_object()};
}

std::optional<JsonNode> JsonNode::find(std::string_view name) const {
  std::optional<JsonNode> found;
  for (const JsonNode member : *this) {
    if (member.name() == name) {
      found = member;
    }
  }
  return found;
}

JsonNode JsonNode::operator[](std::size_t k) const {
  Iterator at = begin();
  for (; k > 0; --k) {
    ++at;
  }
  return *at;
}

std::string JsonNode::json() const {
  switch (kind()) {
    case JsonTree::Kind::Null: return "null";
    case JsonTree::Kind::False: return "false";
    case JsonTree::Kind::True: return "true";
    case JsonTree::Kind::Unsigned: return std::to_string(entry().number);
    case JsonTree::Kind::Negative:
      return std::to_string(std::bit_cast<std::int64_t>(entry().number));
    case JsonTree::Kind::Float: return JsonValue(entry().value).text();
    case JsonTree::Kind::String: return JsonValue(text()).text();
    default: break;
  }
  JsonArray array;
  JsonObject object;
  for (const JsonNode node : *this) {
    if (is_array()) {
      array.element(JsonValue::of_json(node.json()));
    } else {
      object.member(node.name(), JsonValue::of_json(node.json()));
    }
  }
  return is_array() ? array.text() : object.text();
}

}  // namespace oa::io
