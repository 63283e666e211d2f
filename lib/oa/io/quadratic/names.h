#pragma once

#include <string>
#include <vector>

namespace oa::io {

/// Converts names of variables from text to JSON, the form in qubo::Quadratic:
/// whole numbers become JSON numbers.  Returns no names for 0, 1, 2,
/// ... Throws InputError, which names `where`, on a duplicate.
[[nodiscard]] std::vector<std::string> names_of_text(
    const std::vector<std::string>& names, const std::string& where);

/// Checks names that are already JSON, as names_of_text() does.
[[nodiscard]] std::vector<std::string> checked_names(std::vector<std::string> names,
                                                     const std::string& where);

/// Converts JSON names to table cells, the inverse of names_of_text().
/// Throws InputError, which names `where`, if a cell cannot hold a name.
[[nodiscard]] std::vector<std::string> cells_of_names(
    const std::vector<std::string>& names, const std::string& where);

}  // namespace oa::io
