#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace oa::plot {

enum class Language : std::uint8_t { English, Chinese };

/// Translates the texts of figures into a language.
class Words {
 public:
  Words(Language language = Language::English) : language_(language) {}  // NOLINT

  /// `english` in the language, with `parts` for {0} and {1}.  The table is in
  /// chinese.cc.
  [[nodiscard]] std::string operator()(
      std::string_view english,
      std::initializer_list<std::string_view> parts = {}) const;

  /// "1 image", "2,000 images"; the table has "{0} images".
  [[nodiscard]] std::string count(std::int64_t n,
                                  std::string_view thing,
                                  std::string_view things) const;

 private:
  Language language_;
};

/// Settings of all figures.
struct Look {
  double width = 0.0;  ///< of the scene; 0: chosen by the figure
  Words words;
};

/// The translation of a figure's text; empty if the table lacks it.
[[nodiscard]] std::string_view chinese(std::string_view english);

}  // namespace oa::plot
