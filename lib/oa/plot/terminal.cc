#include "oa/plot/terminal.h"

#include "oa/base/number.h"
#include "oa/base/utf8.h"
#include "oa/plot/font.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace oa::plot {
namespace {

constexpr double kColumn = 8.0;  // units of the scene per column; a row has two pixels

bool is_gray(Color c) {
  return std::max({c.red, c.green, c.blue}) - std::min({c.red, c.green, c.blue}) < 24;
}

/// The colour of a pixel; empty: the terminal's background.
using Pixel = std::optional<Color>;

/// True for characters that must not begin a line: ends of sentences and brackets.
bool closes(char32_t sign) {
  return std::u32string_view(U"，。；：、）,.;:)").find(sign) !=
         std::u32string_view::npos;
}

/// Splits text where lines may break: after a word and its space, or a wide character.
std::vector<std::u32string> pieces_of(const std::string& text) {
  std::vector<std::u32string> pieces(1);
  char32_t last = 0;
  for (const char32_t sign : code_points(text)) {
    const bool breaks =
        sign == U' ' || ((is_wide(sign) || is_wide(last)) && !closes(sign));
    if (breaks && !pieces.back().empty() && last != U' ') {
      pieces.emplace_back();
    }
    pieces.back() += sign;
    last = sign;
  }
  return pieces;
}

/// Breaks `text` into lines of at most `most` columns, where possible.
std::vector<std::string> lines_of(const std::string& text, int most) {
  std::vector<std::string> lines(1);
  int used = 0;
  for (std::u32string piece : pieces_of(text)) {
    int size = 0;
    for (const char32_t sign : piece) {
      size += is_wide(sign) ? 2 : 1;
    }
    if (used > 0 && used + size > most) {
      lines.emplace_back();
      used = 0;
      if (piece.front() == U' ') {
        piece.erase(0, 1);
        --size;
      }
    }
    for (const char32_t sign : piece) {
      lines.back() += utf8(sign);
    }
    used += size;
  }
  return lines;
}

void move_down(Item& item, double below, double by) {
  const auto move = [&](Point& p) { p.y += p.y > below ? by : 0.0; };
  if (auto* text = std::get_if<Text>(&item)) {
    move(text->at);
  } else if (auto* area = std::get_if<Area>(&item)) {
    std::ranges::for_each(area->outline, move);
  } else {
    std::ranges::for_each(std::get<Line>(item).points, move);
  }
}

/// Breaks texts at the left margin (headings, keys) into lines that fit,
/// and moves later items down.
Scene broken(Scene scene, double scale, int columns) {
  constexpr double kFirst = 40.0;
  const double row = 2.0 / scale;
  for (std::size_t i = 0; i < scene.items.size(); ++i) {
    const auto* found = std::get_if<Text>(&scene.items[i]);
    if (found == nullptr || found->align != Align::Left || found->fine ||
        found->at.x > kFirst) {
      continue;
    }
    const Text text = *found;
    const int room = columns - static_cast<int>(text.at.x * scale);
    const auto lines = lines_of(text.text, std::max(1, room));
    for (std::size_t k = lines.size(); k-- > 1;) {
      for (Item& item : scene.items) {
        move_down(item, text.at.y, row);
      }
      scene.height += row;
      Text line = text;
      line.text = lines[k];
      line.at.y += row;
      scene.items.emplace_back(std::move(line));
    }
    std::get<Text>(scene.items[i]).text = lines.front();
  }
  return scene;
}

/// The scene's width in columns, or more if a text needs more space than in a picture.
int columns_for(const Scene& scene, double scale, int most) {
  int columns = static_cast<int>(std::ceil(scene.width * scale - 1e-9));
  for (const Item& item : scene.items) {
    const auto* text = std::get_if<Text>(&item);
    if (text != nullptr && text->align == Align::Left) {
      const int end = static_cast<int>(text->at.x * scale) + columns_of(text->text);
      columns = std::max(columns, std::min(end, most));
    }
  }
  return columns;
}

/// Marks the second column of a wide character.
constexpr char32_t kCovered = 0xFFFFFFFF;

/// Returns an ASCII character for `sign`.
char32_t plain(char32_t sign) {
  switch (sign) {
    case U'\u00d7': return U'x';
    case U'\u2013': return U'-';
    default: return sign > 0x7e ? U'?' : sign;
  }
}

class Canvas {
 public:
  Canvas(const Scene& scene, const TerminalSettings& settings)
      : color_(settings.color),
        ascii_(settings.ascii),
        runs_(scene.runs),
        scale_(std::min(1.0 / kColumn, settings.columns / scene.width)),
        columns_(columns_for(scene, scale_, settings.columns)),
        rows_(static_cast<int>(std::ceil(0.5 * scene.height * scale_ - 1e-9))),
        pixels_(static_cast<std::size_t>(columns_) *
                static_cast<std::size_t>(2 * rows_)),
        signs_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_)) {}

  void draw(const Area& area);
  void draw(const Line& line);
  void draw(const Text& text);
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] bool inside(int x, int y) const {
    return x >= 0 && x < columns_ && y >= 0 && y < 2 * rows_;
  }
  void set(int x, int y, Pixel pixel) {
    if (inside(x, y)) {
      pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
              static_cast<std::size_t>(x)] = pixel;
    }
  }
  [[nodiscard]] Pixel at(int x, int y) const {
    return pixels_[static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
                   static_cast<std::size_t>(x)];
  }
  [[nodiscard]] char32_t& sign(int column, int row) {
    return signs_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                  static_cast<std::size_t>(column)];
  }
  [[nodiscard]] std::string cell(Pixel top, Pixel bottom) const;
  [[nodiscard]] std::string plain_cell(Pixel top, Pixel bottom) const;

  /// The letter of the pixel's run; 0 without a run or with colours.
  [[nodiscard]] char letter(Pixel pixel) const;

  bool color_;
  bool ascii_;
  std::vector<Color> runs_;
  double scale_;
  int columns_;
  int rows_;
  std::vector<Pixel> pixels_;
  std::vector<char32_t> signs_;  // 0: no character
};

/// True if the middle of a pixel is inside, by the even-odd rule.
bool contains(const std::vector<Point>& outline, Point p) {
  bool inside = false;
  for (std::size_t i = 0, j = outline.size() - 1; i < outline.size(); j = i++) {
    const Point a = outline[i];
    const Point b = outline[j];
    if ((a.y > p.y) != (b.y > p.y) &&
        p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) {
      inside = !inside;
    }
  }
  return inside;
}

void Canvas::draw(const Area& area) {
  const auto [left, right] = std::ranges::minmax(area.outline, {}, &Point::x);
  const auto [top, bottom] = std::ranges::minmax(area.outline, {}, &Point::y);
  Pixel pixel = mix(kPaper, area.color, area.opacity);
  if (!color_ && area.ink < 0.5) {
    pixel.reset();
  }
  for (int y = static_cast<int>(top.y * scale_);
       y <= static_cast<int>(bottom.y * scale_);
       ++y) {
    for (int x = static_cast<int>(left.x * scale_);
         x <= static_cast<int>(right.x * scale_);
         ++x) {
      if (contains(area.outline, {(x + 0.5) / scale_, (y + 0.5) / scale_})) {
        set(x, y, pixel);
      }
    }
  }
}

void Canvas::draw(const Line& line) {
  if (line.fine) {
    return;
  }
  const auto run = std::ranges::find(runs_, line.color) - runs_.begin();
  const auto covers = [&](int x, int y) {
    // Where runs overlap, their letters alternate.
    return color_ || run == std::ssize(runs_) || !inside(x, y) ||
           letter(at(x, y)) == 0 || (x + y / 2) % std::ssize(runs_) == run;
  };
  constexpr int kDash = 2;  // pixels in a dash, and in a gap
  int drawn = 0;            // pixels before the segment
  for (std::size_t i = 1; i < line.points.size(); ++i) {
    const Point a = line.points[i - 1];
    const Point b = line.points[i];
    const double length = std::max(std::abs(b.x - a.x), std::abs(b.y - a.y)) * scale_;
    const int steps = std::max(1, static_cast<int>(std::ceil(length)));
    for (int s = 0; s <= steps; ++s) {
      if (line.dashed && (drawn + s) % (2 * kDash) >= kDash) {
        continue;
      }
      const double t = static_cast<double>(s) / steps;
      const auto x = static_cast<int>(std::floor(std::lerp(a.x, b.x, t) * scale_));
      const auto y = static_cast<int>(std::floor(std::lerp(a.y, b.y, t) * scale_));
      if (covers(x, y)) {
        set(x, y, line.color);
      }
    }
    drawn += steps;
  }
}

void Canvas::draw(const Text& text) {
  if (text.fine) {
    return;
  }
  const int length = columns_of(text.text);
  const double left = text.at.x * scale_ - (text.align == Align::Left     ? 0.0
                                            : text.align == Align::Center ? 0.5 * length
                                                                          : length);
  // The row at half the height of capitals.
  const int row = static_cast<int>(0.5 * (text.at.y - 0.35 * text.size) * scale_);
  int column = static_cast<int>(std::lround(left));
  if (text.align != Align::Left) {
    column = std::clamp(column, 0, std::max(0, columns_ - length));
  }
  for (const char32_t one : code_points(text.text)) {
    const int wide = is_wide(one) ? 2 : 1;
    if (row >= 0 && row < rows_ && column >= 0 && column + wide <= columns_) {
      sign(column, row) = one;
      if (wide == 2) {
        sign(column + 1, row) = kCovered;
      }
    }
    column += wide;
  }
}

std::string sequence(const char* which, Pixel pixel) {
  if (!pixel || is_gray(*pixel)) {
    return {};
  }
  return "\x1B[" + std::string(which) + ";2;" + format(int{pixel->red}) + ";" +
         format(int{pixel->green}) + ";" + format(int{pixel->blue}) + "m";
}

char Canvas::letter(Pixel pixel) const {
  if (color_ || !pixel) {
    return 0;
  }
  const auto found = std::ranges::find(runs_, *pixel);
  const auto number = found - runs_.begin();
  constexpr int kLetters = 26;
  return found == runs_.end() ? '\0' : static_cast<char>('a' + number % kLetters);
}

std::string Canvas::plain_cell(Pixel top, Pixel bottom) const {
  const std::string sign = top && bottom ? "#" : top ? "\"" : ".";
  const std::string escapes = color_ ? sequence("38", top ? top : bottom) : "";
  return escapes.empty() ? sign : escapes + sign + "\x1B[0m";
}

std::string Canvas::cell(Pixel top, Pixel bottom) const {
  if (!top && !bottom) {
    return " ";
  }
  for (const Pixel pixel : {top, bottom}) {
    if (const char own = letter(pixel); own != 0) {
      return {own};
    }
  }
  if (ascii_) {
    return plain_cell(top, bottom);
  }
  const bool same = top == bottom;
  const char* sign = same ? "█" : top ? "▀" : "▄";
  if (!color_) {
    return top && bottom ? "█" : sign;
  }
  Pixel front = top ? top : bottom;
  Pixel behind = top && bottom && !same ? bottom : std::nullopt;
  if (behind && is_gray(*behind)) {  // grey has no background colour
    std::swap(front, behind);
    sign = "▄";
  }
  const std::string escapes = sequence("38", front) + sequence("48", behind);
  return escapes.empty() ? sign : escapes + sign + "\x1B[0m";
}

std::string Canvas::text() const {
  std::string all;
  for (int row = 0; row < rows_; ++row) {
    std::string line;
    for (int column = 0; column < columns_; ++column) {
      const char32_t sign =
          signs_[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(column)];
      if (sign == kCovered) {
        continue;
      }
      if (sign != 0) {
        line += utf8(ascii_ ? plain(sign) : sign);
      } else {
        line += cell(at(column, 2 * row), at(column, 2 * row + 1));
      }
    }
    line.erase(line.find_last_not_of(' ') + 1);
    all += line + "\n";
  }
  return all;
}

}  // namespace

std::string terminal_drawing(const Scene& scene, const TerminalSettings& settings) {
  const double scale = std::min(1.0 / kColumn, settings.columns / scene.width);
  const Scene fitted = broken(scene, scale, settings.columns);
  Canvas canvas(fitted, settings);
  for (const Item& item : fitted.items) {
    std::visit([&](const auto& what) { canvas.draw(what); }, item);
  }
  return canvas.text();
}

}  // namespace oa::plot
