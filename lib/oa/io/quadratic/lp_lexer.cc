#include "oa/io/quadratic/lp_lexer.h"

#include <algorithm>

namespace oa::io {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
bool is_comparator(char c) {
  return c == '<' || c == '>' || c == '=';
}
bool is_operator(char c) {
  return std::string_view("+-*/^[]:").find(c) != std::string_view::npos;
}

}  // namespace

std::string lower_case(std::string_view word) {
  std::string text(word);
  for (char& c : text) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return text;
}

std::string_view LpLexer::next() {
  skip();
  const std::size_t from = at_;
  if (at_ == text_.size()) {
    return {};
  }
  const char c = text_[at_];
  if (is_digit(c) || c == '.') {
    number();
  } else if (is_comparator(c)) {
    while (at_ < text_.size() && is_comparator(text_[at_])) {
      ++at_;
    }
  } else if (is_operator(c)) {
    ++at_;
  } else {
    name();
  }
  return text_.substr(from, at_ - from);
}

bool LpLexer::same_line() const {
  LpLexer ahead = *this;
  ahead.skip();
  return ahead.line_ == line_;
}

void LpLexer::skip() {
  for (; at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '\\'); ++at_) {
    if (text_[at_] == '\\') {  // a comment up to the end of the line
      at_ = std::min(text_.find_first_of("\r\n", at_), text_.size() - 1);
    }
    const bool half = text_[at_] == '\r' && text_.substr(at_ + 1).starts_with('\n');
    line_ += (text_[at_] == '\n' || text_[at_] == '\r') && !half ? 1 : 0;
  }
}

void LpLexer::number() {
  while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) {
    ++at_;
  }
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    std::size_t end = at_ + 1;
    end += end < text_.size() && (text_[end] == '+' || text_[end] == '-') ? 1 : 0;
    if (end < text_.size() && is_digit(text_[end])) {
      while (end < text_.size() && is_digit(text_[end])) {
        ++end;
      }
      at_ = end;
    }
  }
}

/// Reads a name, which may contain brackets and slashes, as x[1], but not at its start.
void LpLexer::name() {
  int open = 0;
  for (; at_ < text_.size(); ++at_) {
    const char c = text_[at_];
    if (c == '[') {
      ++open;
    } else if (c == ']' && open > 0) {
      --open;
    } else if (is_space(c) || is_comparator(c) || c == '\\' ||
               (is_operator(c) && c != '/')) {
      break;
    }
  }
}

}  // namespace oa::io
