#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// Receives elements first, first + 1, ... of the list of keys[key];
/// no numbers for an empty list.
using TakeNumbers = std::function<void(
    std::size_t key, std::size_t first, std::span<const double> numbers)>;

/// Reads the members `keys` of the JSON object in `text`, which are lists of numbers,
/// several times faster than a JSON parser.  Returns the text with empty lists and the
/// same line numbers, for a parser to check.  Throws InputError "name:line: why" on
/// other elements, on duplicate keys, on a second document and on a NUL byte.
[[nodiscard]] std::string cut_lists(std::string_view text,
                                    std::span<const std::string_view> keys,
                                    const std::string& name,
                                    const TakeNumbers& take);

/// "name:12: not JSON from here on", for position `at` in `text`.
[[nodiscard]] std::string not_json(std::string_view text,
                                   std::size_t at,
                                   const std::string& name);

/// "name:12: two problems in one file", the line at `at`, for messages.
[[nodiscard]] std::string two_documents(std::string_view text,
                                        std::size_t at,
                                        const std::string& name);

}  // namespace oa::io
