#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace oa::plot {

enum class Language : std::uint8_t { English, Chinese };

/// What figures say, in a language.
class Words {
 public:
  Words(Language language = Language::English) : language_(language) {}  // NOLINT

  /// `english` in the language, where {0} is the first of `parts`, {1} the second.
  /// Texts of figures are in the table of chinese.cc, as they are written here.
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

/// What all figures are told about how they look.
struct Look {
  double width = 0.0;  ///< of the scene; 0: chosen per figure
  Words words;
};

/// The translation of a text of figures; nothing where the table lacks it.
[[nodiscard]] std::string_view chinese(std::string_view english);

}  // namespace oa::plot
