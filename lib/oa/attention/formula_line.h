#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oa::attention {

/// A number given to an operation, such as "heads".
struct Setting {
  template <class Number>
  Setting(std::string_view its_name, Number number)
      : name(its_name),
        value(static_cast<double>(number)) {}

  std::string_view name;
  double value;
};

/// One operation of a layer's formula.
struct FormulaLine {
  std::string name;  ///< of the output: "x1", "x2", ...
  std::string_view operation;
  std::vector<std::string> inputs;  ///< "x", the tokens, outputs, or tensors
  int rows;                         ///< of the output
  int cols;
  std::vector<int> tensors;  ///< other parameters, by their numbers in the layout
  std::vector<Setting> settings;
};

}  // namespace oa::attention
