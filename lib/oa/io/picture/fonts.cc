#include "oa/io/picture/fonts.h"

#include "oa/base/error.h"
#include "oa/base/utf8.h"
#include "oa/plot/font.h"

#include <cstddef>
#include <memory>
#include <variant>

#include <fontconfig/fontconfig.h>

namespace oa::io {
namespace {

struct Release {
  void operator()(FcPattern* p) const { FcPatternDestroy(p); }
  void operator()(FcCharSet* p) const { FcCharSetDestroy(p); }
  void operator()(FcFontSet* p) const { FcFontSetDestroy(p); }
};
using Pattern = std::unique_ptr<FcPattern, Release>;
using CharSet = std::unique_ptr<FcCharSet, Release>;
using FontSet = std::unique_ptr<FcFontSet, Release>;

/// The system's fonts, best match for these characters first.
FontSet sorted_fonts(const std::set<char32_t>& signs) {
  const Pattern wanted(FcPatternCreate());
  const CharSet set(FcCharSetCreate());
  for (const char32_t sign : signs) {
    FcCharSetAddChar(set.get(), sign);
  }
  const auto* sans = reinterpret_cast<const FcChar8*>("sans-serif");  // NOLINT
  FcPatternAddString(wanted.get(), FC_FAMILY, sans);
  FcPatternAddCharSet(wanted.get(), FC_CHARSET, set.get());
  FcPatternAddBool(wanted.get(), FC_SCALABLE, FcTrue);
  FcConfigSubstitute(nullptr, wanted.get(), FcMatchPattern);
  FcDefaultSubstitute(wanted.get());
  FcResult result = FcResultMatch;
  return FontSet(FcFontSort(nullptr, wanted.get(), FcFalse, nullptr, &result));
}

std::set<char32_t> missing_in(FcPattern* font, const std::set<char32_t>& signs) {
  FcCharSet* has = nullptr;  // owned by the pattern
  if (FcPatternGetCharSet(font, FC_CHARSET, 0, &has) != FcResultMatch) {
    return signs;
  }
  std::set<char32_t> missing;
  for (const char32_t sign : signs) {
    if (FcCharSetHasChar(has, sign) == FcFalse) {
      missing.insert(sign);
    }
  }
  return missing;
}

/// Lists the first characters, for a message.
std::string listed(const std::set<char32_t>& signs) {
  constexpr std::size_t kMax = 8;
  std::string text;
  std::size_t count = 0;
  for (const char32_t sign : signs) {
    if (++count > kMax) {
      return text + " ...";
    }
    text += utf8(sign);
  }
  return text;
}

}  // namespace

std::set<char32_t> foreign_signs(const plot::Scene& scene) {
  std::set<char32_t> signs;
  for (const plot::Item& item : scene.items) {
    if (const auto* text = std::get_if<plot::Text>(&item)) {
      for (const char32_t sign : code_points(text->text)) {
        if (!plot::has_glyph(sign)) {
          signs.insert(sign);
        }
      }
    }
  }
  return signs;
}

std::string family_with(const std::set<char32_t>& signs) {
  std::set<char32_t> missing = signs;
  const FontSet fonts = sorted_fonts(signs);
  for (int i = 0; fonts && i < fonts->nfont; ++i) {
    const std::set<char32_t> lacks = missing_in(fonts->fonts[i], signs);
    FcChar8* family = nullptr;  // owned by the pattern
    if (lacks.empty() &&
        FcPatternGetString(fonts->fonts[i], FC_FAMILY, 0, &family) == FcResultMatch) {
      return reinterpret_cast<const char*>(family);  // NOLINT
    }
    if (lacks.size() < missing.size()) {
      missing = lacks;
    }
  }
  throw IoError("no font of this machine has the signs " + listed(missing) +
                " of the picture (install one that does, for Chinese "
                "fonts-noto-cjk or fonts-wqy-zenhei)");
}

}  // namespace oa::io
