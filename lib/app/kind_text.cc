#include "app/kind_text.h"

#include "app/context.h"
#include "oa/attention/kind_library.h"
#include "oa/attention/kind_spec.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/table/pattern_file.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <vector>

namespace oa::app {
namespace {

/// Removes the path of a library from the beginning of a piece, and opens it.
void open_library(std::string_view& piece) {
  const std::size_t colon = piece.find(':');
  const std::string_view path = piece.substr(0, colon);
  if (colon != std::string_view::npos && path.find('/') != std::string_view::npos &&
      path.find('=') == std::string_view::npos) {
    attention::open_kind_library(std::string(path));
    piece.remove_prefix(colon + 1);
  }
}

/// Opens libraries, and replaces each file of the kind csr by the result of `rows_of`.
std::string replace_files(
    std::string_view text,
    const std::function<std::string(const std::string&)>& rows_of) {
  constexpr std::string_view kFile = "file=";
  std::string all;
  bool csr = false;  // the options that follow belong to csr
  while (true) {
    const std::size_t end = std::min(text.find(','), text.size());
    std::string_view piece = text.substr(0, end);
    open_library(piece);
    const std::size_t colon = piece.find(':');
    const bool goes_on =
        colon == std::string_view::npos && piece.find('=') != std::string_view::npos;
    std::string_view option = piece;
    if (!piece.starts_with(kFile) && !goes_on) {
      csr = piece.substr(0, colon) == "csr";
      option.remove_prefix(colon == std::string_view::npos ? piece.size() : colon + 1);
    }
    if (csr && option.starts_with(kFile)) {
      all += piece.substr(0, piece.size() - option.size());
      option.remove_prefix(kFile.size());
      const std::size_t name = std::min(option.find('*'), option.size());
      all += "rows=" + rows_of(std::string(option.substr(0, name)));
      piece = option.substr(name);
    }
    all += piece;
    if (end == text.size()) {
      return all;
    }
    all += ',';
    text.remove_prefix(end + 1);
  }
}

}  // namespace

std::string refusal_of_kinds(const std::string& text) {
  try {
    (void)attention::parse_kind_specs(
        replace_files(text, [](const std::string&) { return "0"; }), "");
    return {};
  } catch (const InputError& e) {
    return e.what();
  }
}

std::string with_files_read(const std::string& text) {
  return replace_files(text, [](const std::string& name) {
    io::Input input = io::Input::open(name);
    return io::read_pattern(input);
  });
}

namespace {

/// Sets the option of kinds that have it:
/// where it is not set or, if `replaces`, everywhere.
std::string with_option(const std::string& text,
                        const std::string& name,
                        const std::string& value,
                        bool replaces) {
  std::vector<attention::KindSpec> kinds =
      attention::parse_kind_specs(text, "attention");
  bool any = false;
  bool changed = false;
  for (attention::KindSpec& spec : kinds) {
    if (attention::takes_option(*spec.kind, spec.options, name)) {
      if (replaces) {
        spec.options.erase(name);
      }
      any = true;
      changed = spec.options.emplace(name, value).second || changed;
    }
  }
  if (!changed) {
    throw UsageError(name,
                     ": '" + text + (any ? "' has a number of " : "' has no ") + name);
  }
  return attention::text_of(kinds);
}

}  // namespace

std::string with_heads(const std::string& text, int heads, bool replaces) {
  return with_option(text, "heads", format(heads), replaces);
}

std::string with_keys(const std::string& text, const std::string& source) {
  return with_option(text, "keys", source, true);
}

std::string with_loops(const std::string& text, int loops) {
  return with_option(text, "loops", format(loops), true);
}

std::string without_isometric(const std::string& text) {
  std::vector<attention::KindSpec> kinds =
      attention::parse_kind_specs(text, "attention");
  const auto set = std::ranges::count_if(
      kinds, [](attention::KindSpec& spec) { return spec.options.erase("isometric"); });
  return set > 0 ? attention::text_of(kinds) : text;
}

}  // namespace oa::app
