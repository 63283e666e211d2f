#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// Receives numbers of the list of keys[key], from its element `first` on; none for an
/// empty list.
using TakeNumbers = std::function<void(
    std::size_t key, std::size_t first, std::span<const double> numbers)>;

/// Reads the members `keys` of the JSON object in `text` that are lists of numbers,
/// several times faster than a JSON parser: large files are mostly such lists.  Returns
/// the text with these lists empty and the same line numbers; a parser must check it.
/// Throws InputError "name:line: why" on other values in these lists, a duplicate key,
/// a second document and a NUL byte.
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
