#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace oa::plot {

enum class Language : std::uint8_t { English, Chinese };

/// Translates the texts of figures.
class Words {
 public:
  Words(Language language = Language::English) : language_(language) {}  // NOLINT

  /// Translates `english` by the table in chinese.cc; `parts` replace {0} and {1}.
  [[nodiscard]] std::string operator()(
      std::string_view english,
      std::initializer_list<std::string_view> parts = {}) const;

  /// Formats "1 image" or "2,000 images"; the table of texts has "{0} images".
  [[nodiscard]] std::string count(std::int64_t n,
                                  std::string_view thing,
                                  std::string_view things) const;

 private:
  Language language_;
};

/// Settings that all figures have.
struct Look {
  double width = 0.0;  ///< width of the scene; 0: chosen by the figure
  Words words;
};

/// Looks up the Chinese text; empty if the table lacks it.
[[nodiscard]] std::string_view chinese(std::string_view english);

}  // namespace oa::plot
