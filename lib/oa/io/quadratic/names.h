#pragma once

#include <string>
#include <vector>

namespace oa::io {

/// Names of variables that a file has as text, as qubo::Quadratic keeps them: JSON,
/// whole numbers as numbers; empty if they are 0, 1, 2, ...  Throws InputError, which
/// names `where`, if one comes twice.
[[nodiscard]] std::vector<std::string> names_of_text(
    const std::vector<std::string>& names, const std::string& where);

/// The same for names that are JSON already.
[[nodiscard]] std::vector<std::string> checked_names(std::vector<std::string> names,
                                                     const std::string& where);

/// Names as cells of a table: text that names_of_text() makes the same names of.
/// Throws InputError, which names `where`, on a name that no cell can hold.
[[nodiscard]] std::vector<std::string> cells_of_names(
    const std::vector<std::string>& names, const std::string& where);

}  // namespace oa::io
