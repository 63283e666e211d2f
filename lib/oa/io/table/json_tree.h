#pragma once

#include "oa/base/exact_sum.h"
#include "oa/io/bytes/input.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::io {

class JsonNode;

/// The values of a JSON text, in its order: 16 bytes each, and the strings.  An object
/// keeps all members, also those with the same name.
class JsonTree {
 public:
  /// Parses `text`, all of an input.  Throws InputError if it is not JSON, is nested
  /// deeper than 64 levels or has an integer beyond 64 bits that is no double; and
  /// after a stop request.
  JsonTree(std::string_view text, const Input& input);

  [[nodiscard]] JsonNode root() const;

 private:
  friend class JsonNode;
  class Builder;

  enum class Kind : std::uint8_t {
    Null,
    False,
    True,
    Unsigned,
    Negative,
    Float,
    String,  // also the name of the member behind it
    Array,
    Object
  };
  struct Entry {
    Kind kind = Kind::Null;
    union {
      std::uint64_t number = 0;  // bits of an integer, or a place in strings
      double value;
      std::size_t end;  // entry after the last of an array or object
    };
  };

  [[nodiscard]] std::string_view string(std::size_t entry) const;

  std::vector<Entry> entries_;
  std::string strings_;
  std::vector<std::size_t> ends_;  // of the strings
};

/// A value of a tree, which must stay alive.
class JsonNode {
 public:
  /// The elements of an array or the members of an object.
  class Iterator {
   public:
    Iterator(const JsonTree& tree, std::size_t at, bool object)
        : tree_(&tree),
          at_(at),
          object_(object) {}
    JsonNode operator*() const { return {*tree_, at_}; }
    Iterator& operator++();
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    const JsonTree* tree_;
    std::size_t at_;
    bool object_;
  };

  JsonNode(const JsonTree& tree, std::size_t at) : tree_(&tree), at_(at) {}

  [[nodiscard]] bool is_string() const { return kind() == JsonTree::Kind::String; }
  [[nodiscard]] bool is_array() const { return kind() == JsonTree::Kind::Array; }
  [[nodiscard]] bool is_object() const { return kind() == JsonTree::Kind::Object; }
  [[nodiscard]] bool is_unsigned() const { return kind() == JsonTree::Kind::Unsigned; }
  [[nodiscard]] bool is_float() const { return kind() == JsonTree::Kind::Float; }
  [[nodiscard]] bool is_number() const {
    return is_unsigned() || is_float() || kind() == JsonTree::Kind::Negative;
  }

  [[nodiscard]] std::string_view text() const { return tree_->string(at_); }
  /// Exact.
  [[nodiscard]] TwoDoubles number() const;

  // Arrays and objects have these; size() and find() take time in proportion to the
  // size.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  [[nodiscard]] std::string_view name() const { return tree_->string(at_ - 1); }
  /// The last member of that name.
  [[nodiscard]] std::optional<JsonNode> find(std::string_view name) const;
  /// Element k of an array that has it.
  [[nodiscard]] JsonNode operator[](std::size_t k) const;

  /// The value as JSON.
  [[nodiscard]] std::string json() const;

 private:
  [[nodiscard]] JsonTree::Kind kind() const { return entry().kind; }
  [[nodiscard]] const JsonTree::Entry& entry() const { return tree_->entries_[at_]; }

  const JsonTree* tree_;
  std::size_t at_;
};

inline JsonNode JsonTree::root() const {
  return {*this, 0};
}

}  // namespace oa::io
