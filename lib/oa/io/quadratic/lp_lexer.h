#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace oa::io {

/// Returns text with ASCII letters in lower case.
[[nodiscard]] std::string lower_case(std::string_view word);

/// The tokens of a file in the LP format: numbers, names and operators.
/// To look ahead, copy the lexer.
class LpLexer {
 public:
  explicit LpLexer(std::string_view text) : text_(text) {}

  /// The next token; empty at the end.
  std::string_view next();
  [[nodiscard]] std::string_view peek() const { return LpLexer(*this).next(); }

  [[nodiscard]] std::int64_t line() const { return line_; }
  /// True if the next token is in the same line as the last one.
  [[nodiscard]] bool same_line() const;

 private:
  void skip();
  void number();
  void name();

  std::string_view text_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
};

[[nodiscard]] inline bool is_comparison(std::string_view word) {
  return !word.empty() && (word[0] == '<' || word[0] == '>' || word[0] == '=');
}

/// True if a token is a number, without a sign.
[[nodiscard]] inline bool is_number(std::string_view word) {
  return !word.empty() && ((word[0] >= '0' && word[0] <= '9') || word[0] == '.');
}

}  // namespace oa::io
