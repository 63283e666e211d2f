#include "oa/io/picture/picture.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/utf8.h"
#include "oa/io/bytes/crc32.h"
#include "oa/io/bytes/subprocess.h"
#include "oa/io/picture/fonts.h"
#include "oa/plot/font.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include <cairo/cairo-pdf.h>
#include <cairo/cairo-ps.h>
#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>

namespace oa::io {
namespace {

constexpr double kUnits = 96.0;   // units of the scene per inch
constexpr double kPoints = 72.0;  // units of a page per inch
constexpr double kMillimetres = 25.4;
constexpr std::size_t kMaxPixels = 1 << 15;  // cairo's limit is 32,767 per side

struct Free {
  void operator()(cairo_surface_t* p) const { cairo_surface_destroy(p); }
  void operator()(cairo_t* p) const { cairo_destroy(p); }
  void operator()(cairo_font_face_t* p) const { cairo_font_face_destroy(p); }
};
using Surface = std::unique_ptr<cairo_surface_t, Free>;
using Drawing = std::unique_ptr<cairo_t, Free>;
using Font = std::unique_ptr<cairo_font_face_t, Free>;

void check(cairo_status_t status) {
  if (status == CAIRO_STATUS_NO_MEMORY) {
    throw std::bad_alloc();
  }
  if (status != CAIRO_STATUS_SUCCESS) {
    throw std::logic_error(std::string("cairo: ") + cairo_status_to_string(status));
  }
}

// The built-in font for cairo: a glyph's number is its code point.

template <bool bold>
cairo_status_t render_glyph(cairo_scaled_font_t*,
                            unsigned long code,
                            cairo_t* cr,
                            cairo_text_extents_t* extents) {
  const auto sign = static_cast<char32_t>(code);
  extents->x_advance = plot::advance(sign);
  for (const auto& contour : plot::glyph(sign, bold)) {
    cairo_new_sub_path(cr);
    for (const plot::Point p : contour) {
      cairo_line_to(cr, p.x, -p.y);
    }
    cairo_close_path(cr);
  }
  cairo_fill(cr);
  return CAIRO_STATUS_SUCCESS;
}

Font make_font(cairo_user_scaled_font_render_glyph_func_t render) {
  Font font(cairo_user_font_face_create());
  cairo_user_font_face_set_render_glyph_func(font.get(), render);
  check(cairo_font_face_status(font.get()));
  return font;
}

/// Adapts a colour to the theme: in the dark theme, only grey changes its brightness.
plot::Color themed(plot::Color c, Theme theme) {
  const auto [low, high] = std::minmax({c.red, c.green, c.blue});
  if (theme == Theme::Light || high - low >= 24) {
    return c;
  }
  const auto turned = [](std::uint8_t v) {
    return static_cast<std::uint8_t>(std::lround(std::lerp(240.0, 20.0, v / 255.0)));
  };
  return {turned(c.red), turned(c.green), turned(c.blue)};
}

/// Fonts for characters that the built-in font lacks.
struct ForeignFonts {
  Font regular;
  Font bold;
};

ForeignFonts foreign_fonts(const plot::Scene& scene) {
  const std::set<char32_t> signs = foreign_signs(scene);
  if (signs.empty()) {
    return {};
  }
  const std::string family = family_with(signs);
  const auto made = [&](cairo_font_weight_t weight) {
    Font font(
        cairo_toy_font_face_create(family.c_str(), CAIRO_FONT_SLANT_NORMAL, weight));
    check(cairo_font_face_status(font.get()));
    return font;
  };
  return {made(CAIRO_FONT_WEIGHT_NORMAL), made(CAIRO_FONT_WEIGHT_BOLD)};
}

/// Splits text into parts that the built-in font has and parts that it lacks.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts;
  std::optional<bool> ours;
  for (const char32_t sign : code_points(text)) {
    if (const bool now = plot::has_glyph(sign); now != ours) {
      parts.emplace_back();
      ours = now;
    }
    parts.back() += utf8(sign);
  }
  return parts;
}

class Painter {
 public:
  /// `outlines` draws text as areas:
  /// as text on pixels, cairo would round the position of each letter.
  Painter(cairo_t* cr, bool outlines, Theme theme, ForeignFonts foreign)
      : cr_(cr),
        theme_(theme),
        outlines_(outlines),
        regular_(make_font(render_glyph<false>)),
        bold_(make_font(render_glyph<true>)),
        foreign_(std::move(foreign)) {}

  void operator()(const plot::Area& area) {
    color(area.color, area.opacity);
    path(area.outline);
    cairo_close_path(cr_);
    cairo_fill(cr_);
  }

  void operator()(const plot::Line& line) {
    constexpr std::array<double, 2> kDash{6.0, 4.0};
    color(line.color);
    cairo_set_line_width(cr_, line.width);
    // Round caps would fill the gaps of dashes.
    cairo_set_line_cap(cr_, line.dashed ? CAIRO_LINE_CAP_BUTT : CAIRO_LINE_CAP_ROUND);
    cairo_set_dash(cr_, kDash.data(), line.dashed ? 2 : 0, 0.0);
    path(line.points);
    cairo_stroke(cr_);
  }

  void operator()(const plot::Text& text) {
    const double width = plot::text_width(text.text, text.size);
    const double before = text.align == plot::Align::Left     ? 0.0
                          : text.align == plot::Align::Center ? 0.5 * width
                                                              : width;
    plot::Point at{text.at.x - before, text.at.y};
    color(text.color);
    for (const std::string& part : parts_of(text.text)) {
      const bool ours = plot::has_glyph(code_points(part).front());
      if (ours && outlines_) {
        fill(part, text.size, text.bold, at);
      } else {
        show(part,
             text.size,
             ours ? (text.bold ? bold_ : regular_)
                  : (text.bold ? foreign_.bold : foreign_.regular),
             at);
      }
      at.x += plot::text_width(part, text.size);
    }
  }

 private:
  void show(const std::string& part, double size, const Font& font, plot::Point at) {
    cairo_set_font_face(cr_, font.get());
    cairo_set_font_size(cr_, size);
    cairo_move_to(cr_, at.x, at.y);
    if (outlines_) {
      cairo_text_path(cr_, part.c_str());
      cairo_fill(cr_);
    } else {
      cairo_show_text(cr_, part.c_str());
    }
  }
  void fill(const std::string& part, double size, bool bold, plot::Point at) {
    cairo_new_path(cr_);
    for (const char32_t sign : code_points(part)) {
      for (const auto& contour : plot::glyph(sign, bold)) {
        cairo_new_sub_path(cr_);
        for (const plot::Point p : contour) {
          cairo_line_to(cr_, at.x + size * p.x, at.y - size * p.y);
        }
        cairo_close_path(cr_);
      }
      at.x += size * plot::advance(sign);
    }
    cairo_fill(cr_);
  }
  void color(plot::Color of_scene, double opacity = 1.0) {
    const plot::Color c =
        plot::mix(themed(plot::kPaper, theme_), themed(of_scene, theme_), opacity);
    cairo_set_source_rgb(cr_, c.red / 255.0, c.green / 255.0, c.blue / 255.0);
  }
  void path(const std::vector<plot::Point>& points) {
    cairo_new_path(cr_);
    for (const plot::Point p : points) {
      cairo_line_to(cr_, p.x, p.y);
    }
  }

  cairo_t* cr_;
  Theme theme_;
  bool outlines_;
  Font regular_;
  Font bold_;
  ForeignFonts foreign_;
};

void paint(const plot::Scene& scene,
           cairo_surface_t* surface,
           double scale,
           bool outlines,
           Theme theme) {
  check(cairo_surface_status(surface));
  const Drawing drawing(cairo_create(surface));
  cairo_t* cr = drawing.get();
  cairo_scale(cr, scale, scale);
  const plot::Color paper = themed(plot::kPaper, theme);
  cairo_set_source_rgb(cr, paper.red / 255.0, paper.green / 255.0, paper.blue / 255.0);
  cairo_paint(cr);
  cairo_set_line_join(cr, CAIRO_LINE_JOIN_ROUND);
  Painter painter(cr, outlines, theme, foreign_fonts(scene));
  for (const plot::Item& item : scene.items) {
    std::visit(painter, item);
  }
  check(cairo_status(cr));
}

/// Receives bytes from cairo, and keeps exceptions from C code.
cairo_status_t take(void* to, const unsigned char* bytes, unsigned int size) {
  try {
    static_cast<std::string*>(to)->append(
        reinterpret_cast<const char*>(bytes),  // NOLINT
        size);
  } catch (const std::bad_alloc&) {
    return CAIRO_STATUS_NO_MEMORY;
  }
  return CAIRO_STATUS_SUCCESS;
}

/// Inches per unit of the scene.
double inches_of(const plot::Scene& scene, const PictureSettings& settings) {
  return settings.width > 0.0 ? settings.width / kMillimetres / scene.width
                              : 1.0 / kUnits;
}

std::string big_endian(std::uint32_t value) {
  std::string text;
  for (int shift = 24; shift >= 0; shift -= 8) {
    text += static_cast<char>(value >> shift);
  }
  return text;
}

/// Inserts a chunk with the pixel size after the signature (8 bytes) and the
/// header (25 bytes).
std::string with_pixel_size(std::string png, double dpi) {
  const auto per_metre =
      static_cast<std::uint32_t>(std::lround(dpi * 1000.0 / kMillimetres));
  const std::string chunk =
      "pHYs" + big_endian(per_metre) + big_endian(per_metre) + '\1';
  const std::uint32_t sum = extend_crc32(0, std::as_bytes(std::span(chunk)));
  return png.insert(33, big_endian(9) + chunk + big_endian(sum));
}

std::string png(const plot::Scene& scene, const PictureSettings& settings) {
  const double scale = inches_of(scene, settings) * settings.dpi;
  const double wide = std::ceil(scene.width * scale - 1e-9);
  const double high = std::ceil(scene.height * scale - 1e-9);
  if (std::max(wide, high) >= kMaxPixels) {
    throw IoError("a picture of " + std::to_string(static_cast<long>(wide)) + " by " +
                      std::to_string(static_cast<long>(high)) + " pixels as PNG",
                  EFBIG);
  }
  const Surface surface(cairo_image_surface_create(
      CAIRO_FORMAT_RGB24, static_cast<int>(wide), static_cast<int>(high)));
  paint(scene, surface.get(), scale, true, settings.theme);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), take, &bytes));
  return with_pixel_size(std::move(bytes), settings.dpi);
}

template <class Create>
std::string vectors(const plot::Scene& scene,
                    const PictureSettings& settings,
                    Create create,
                    auto prepare) {
  std::string bytes;
  const double scale = inches_of(scene, settings) * kPoints;
  const Surface surface(
      create(take, &bytes, scene.width * scale, scene.height * scale));
  prepare(surface.get());
  paint(scene, surface.get(), scale, false, settings.theme);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

/// True if the table at the end of a PDF file has the right offset of every object.
/// If memory is short while cairo 1.16 writes fonts,
/// cairo omits objects but reports success.
bool is_whole_pdf(std::string_view bytes) {
  constexpr std::string_view kStart = "startxref\n";
  constexpr std::string_view kTable = "xref\n0 ";
  constexpr std::size_t kRow = 20;           // "0000000015 00000 n \n"
  constexpr std::size_t kOffset = 10;        // digits of the offset
  const auto number = [&](std::size_t at) {  // reads a number in the row
    const auto line = bytes.substr(std::min(at, bytes.size()));
    return parse_int(line.substr(0, line.find('\n'))).value_or(0);
  };
  const auto start = bytes.rfind(kStart);
  if (start == bytes.npos || !bytes.ends_with("%%EOF\n")) {
    return false;
  }
  const auto table = static_cast<std::size_t>(number(start + kStart.size()));
  const auto objects = number(table + kTable.size());
  const auto rows = bytes.find('\n', table + kTable.size()) + 1;
  for (std::int64_t k = 1; k < objects; ++k) {
    const auto row = bytes.substr(
        std::min(bytes.size(), rows + static_cast<std::size_t>(k) * kRow), kOffset);
    const auto at = parse_int(row);
    const std::string object = format(k) + " 0 obj";
    if (!at || static_cast<std::size_t>(*at) >= bytes.size() ||
        !bytes.substr(static_cast<std::size_t>(*at)).starts_with(object)) {
      return false;
    }
  }
  return objects > 1;
}

std::string pdf(const plot::Scene& scene, const PictureSettings& settings) {
  std::string bytes = vectors(
      scene, settings, cairo_pdf_surface_create_for_stream, [&](cairo_surface_t* s) {
        cairo_pdf_surface_set_metadata(
            s, CAIRO_PDF_METADATA_TITLE, scene.title.c_str());
        // Sets a fixed date, because cairo would write today's.
        cairo_pdf_surface_set_metadata(
            s, CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
      });
  if (!is_whole_pdf(bytes)) {
    throw std::bad_alloc();
  }
  return bytes;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c == '<'   ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '&' ? "&amp;"
                      : std::string(1, c);
  }
  return out;
}

/// Returns an SVG with a title for screen readers.  Removes cairo's surface number,
/// which counts surfaces of the process.
std::string svg(const plot::Scene& scene, const PictureSettings& settings) {
  std::string bytes =
      vectors(scene, settings, cairo_svg_surface_create_for_stream, [](auto*) {});
  constexpr std::string_view kNumbered = "<g id=\"surface";
  if (const auto at = bytes.find(kNumbered); at != bytes.npos) {
    const auto digits = at + kNumbered.size();
    bytes.erase(digits, bytes.find('"', digits) - digits);
  }
  const auto root = bytes.find("<svg");
  const auto end = bytes.find('>', root);
  if (root != bytes.npos && end != bytes.npos) {
    bytes.insert(end + 1, "\n<title>" + escaped(scene.title) + "</title>");
  }
  return bytes;
}

/// Returns an EPS file without cairo's date.
std::string eps(const plot::Scene& scene, const PictureSettings& settings) {
  std::string bytes = vectors(
      scene, settings, cairo_ps_surface_create_for_stream, [](cairo_surface_t* s) {
        cairo_ps_surface_set_eps(s, 1);
      });
  constexpr std::string_view kDate = "%%CreationDate:";
  if (const auto at = bytes.find(kDate); at != bytes.npos) {
    bytes.erase(at, bytes.find('\n', at) + 1 - at);
  }
  return bytes;
}

}  // namespace

std::optional<PictureFormat> picture_format(std::string_view path) {
  std::string end(path.substr(path.size() - std::min<std::size_t>(path.size(), 4)));
  std::ranges::transform(end, end.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return end == ".png"   ? std::optional(PictureFormat::Png)
         : end == ".svg" ? std::optional(PictureFormat::Svg)
         : end == ".pdf" ? std::optional(PictureFormat::Pdf)
         : end == ".eps" ? std::optional(PictureFormat::Eps)
                         : std::nullopt;
}

std::string picture(const plot::Scene& scene,
                    PictureFormat format,
                    const PictureSettings& settings) {
  switch (format) {
    case PictureFormat::Png: return png(scene, settings);
    case PictureFormat::Svg: return svg(scene, settings);
    case PictureFormat::Pdf: return pdf(scene, settings);
    case PictureFormat::Eps: return eps(scene, settings);
  }
  return {};
}

std::string picture_in_child(const plot::Scene& scene,
                             PictureFormat format,
                             const PictureSettings& settings) {
  Answer answer = run_in_child([&] { return picture(scene, format, settings); });
  switch (answer.kind) {
    case AnswerKind::Text: return std::move(answer.text);
    case AnswerKind::Failed: throw IoError(answer.text);
    case AnswerKind::Late: throw IoError("cairo waits for itself (out of memory?)");
    case AnswerKind::Refused:
    case AnswerKind::Crashed: break;
  }
  throw IoError("cairo crashed (out of memory?)");
}

}  // namespace oa::io
