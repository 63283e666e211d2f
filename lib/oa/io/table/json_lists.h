#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace oa::io {

/// Takes numbers of the list of key `key`, the first of which is its element `first`;
/// none of an empty list.
using TakeNumbers = std::function<void(
    std::size_t key, std::size_t first, std::span<const double> numbers)>;

/// Reads the members `keys` of the JSON object in `text` where they are lists of
/// numbers, several times as fast as a parser of JSON: large files are little else.
/// Returns the text with these lists empty and lines where they were, looked at only as
/// far as that takes: such a parser has to accept or to refuse it. Throws InputError,
/// "name:line: why", on other lists of these keys, on a second one, on a second
/// document and on a NUL byte.
[[nodiscard]] std::string cut_lists(std::string_view text,
                                    std::span<const std::string_view> keys,
                                    const std::string& name,
                                    const TakeNumbers& take);

/// "name:12: not JSON from here on" for the place `at` of `text`.
[[nodiscard]] std::string not_json(std::string_view text,
                                   std::size_t at,
                                   const std::string& name);

}  // namespace oa::io
