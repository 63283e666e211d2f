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

/// The values of a JSON text in their order: an entry of 16 bytes for each value, and
/// the strings.  Objects keep all members, also with equal names.
class JsonTree {
 public:
  /// Parses `text`, the whole `input`.  Throws InputError after a stop request, and if
  /// `text` is not JSON, has more than 64 levels, or has an integer above 64 bits that
  /// no double holds exactly.
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
    String,  // also a member's name, before its value
    Array,
    Object
  };
  struct Entry {
    Kind kind = Kind::Null;
    union {
      std::uint64_t number = 0;  // bits of an integer, or index in strings
      double value;
      std::size_t end;  // entry after the last of an array or object
    };
  };

  [[nodiscard]] std::string_view string(std::size_t entry) const;

  std::vector<Entry> entries_;
  std::string strings_;
  std::vector<std::size_t> ends_;  // ends of the strings
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
  /// The number without rounding.
  [[nodiscard]] TwoDoubles number() const;

  // For arrays and objects.  size() and find() take linear time.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] Iterator begin() const;
  [[nodiscard]] Iterator end() const;

  [[nodiscard]] std::string_view name() const { return tree_->string(at_ - 1); }
  /// Returns the last member with this name.
  [[nodiscard]] std::optional<JsonNode> find(std::string_view name) const;
  /// Element k of an array with more than k elements.
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
