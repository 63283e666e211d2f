#include "oa/data/glyphs.h"

#include <array>
#include <cassert>
#include <string_view>
#include <utility>

namespace oa {
namespace {

constexpr int kWays = 4;

// Drawn for this project.  A point is "x,y"; "|" begins the next stroke.
constexpr std::array<std::array<std::string_view, kWays>, 10> kAlphabet = {{
    // 0: closed at the top; overlapping; started inside; not quite closed.
    {"33,0 11,14 3,50 12,87 33,100 55,86 63,50 54,13 33,0",
     "46,6 26,2 8,22 3,56 14,90 35,100 56,82 62,48 53,15 36,1 20,7",
     "44,18 32,1 12,16 3,52 13,88 34,100 55,86 63,52 56,18 38,2 26,10",
     "36,3 14,12 3,50 14,90 36,99 58,78 62,40 50,8"},
    // 1: a bar; a slash; with a flag; with flag and foot.
    {"30,0 30,34 30,67 30,100",
     "42,0 34,34 27,67 20,100",
     "10,24 22,14 34,0|34,0 33,50 32,100",
     "12,22 23,13 34,0|34,0 34,50 34,100|12,100 34,100 56,100"},
    // 2: straight foot; loop; wavy foot; a hook on top of a flat foot.
    {"6,22 16,5 36,0 55,10 58,30 44,55 22,80 4,98|4,98 34,97 64,96",
     "8,20 22,2 46,3 57,24 46,52 27,80 12,94 3,89 11,79 28,87 46,97 64,90",
     "4,18 20,2 42,2 54,20 44,48 24,74 4,96|4,96 20,89 42,97 64,89",
     "10,26 12,8 34,0 52,14 50,38 30,68 6,97|6,97 30,95 56,98"},
    // 3: two bowls; flat top; loop in the middle; one soft stroke.
    {"6,12 28,0 51,9 54,29 41,44 22,48|22,48 48,54 62,74 50,94 27,100 4,88",
     "6,3 32,4 57,3|57,3 42,22 26,42|26,42 50,46 62,69 50,94 27,100 3,88",
     "6,14 26,0 50,8 52,29 36,45 23,51 22,44 40,48 60,67 53,91 28,100 4,90",
     "8,8 30,0 52,10 50,32 34,46|34,46 56,58 58,84 34,100 6,94"},
    // 4: open and angular; closed; open and round; open with a tall left arm.
    {"14,2 9,30 4,58|4,58 34,57 66,55|50,14 48,56 45,100",
     "46,0 24,32 0,66|0,66 32,66 64,65|46,0 46,50 46,100",
     "10,2 5,28 14,48 36,50 56,38|60,0 55,48 48,100",
     "24,0 13,30 2,62|2,62 30,60 62,60|44,34 40,66 36,100"},
    // 5: bar to the right; soft; lifted bar; low belly.
    {"57,3 36,3 14,3|14,3 12,24 10,45|10,45 34,36 57,50 60,75 42,97 20,100 2,89",
     "58,2 36,2 20,8 13,26 17,42 38,46 56,60 56,84 36,99 4,93",
     "18,8 14,26 11,46|11,46 36,38 57,54 56,82 34,100 5,94|18,9 38,7 62,0",
     "54,0 34,2 16,2|16,2 11,26 6,50|6,50 28,46 46,58 48,80 32,97 6,100"},
    // 6: curved; straight back; hook on top; tall with a small bowl.
    {"50,0 26,18 9,46 5,76 20,98 44,98 58,78 48,58 28,56 9,72",
     "38,0 20,34 5,68 12,94 36,100 56,84 51,63 29,60 8,78",
     "57,13 43,0 22,12 7,44 4,74 20,99 46,97 60,75 46,54 24,56 7,74",
     "28,0 14,26 5,58 7,86 24,100 44,92 47,73 31,64 9,78"},
    // 7: plain; barred; with a serif; wavy top.
    {"4,4 32,4 60,4|60,4 40,46 24,100",
     "4,5 32,4 60,3|60,3 42,46 26,100|16,52 36,50 56,48",
     "6,20 6,12 7,4|7,4 34,5 60,4|60,4 40,36 32,68 30,100",
     "3,13 18,3 42,8 62,2|62,2 44,36 30,100"},
    // 8: one stroke; two rings; open at the top; narrow waist.
    {"51,13 34,0 13,9 12,29 32,47 54,65 56,88 33,100 9,88 10,66 31,48 50,31 52,13",
     "33,0 15,8 13,32 33,45 53,32 51,8 33,0|33,45 10,57 7,86 33,100 59,86 56,57 33,45",
     "57,10 36,0 12,11 16,33 38,50 56,70 50,94 27,100 7,85 18,61 43,37 60,10",
     "30,0 14,14 22,38 42,58 50,82 32,100 12,84 22,58 42,38 48,14 30,0"},
    // 9: straight tail; curved tail; leaning tail; one stroke with a hook.
    {"55,14 36,0 12,8 4,29 16,47 38,44 55,22|57,4 55,50 52,100",
     "55,20 38,0 13,8 5,32 20,50 44,43 56,18|56,18 59,58 46,92 24,100 7,90",
     "54,13 34,1 11,13 8,37 28,48 49,35 57,10|57,10 47,56 30,100",
     "56,16 38,0 14,8 6,30 20,47 44,40 57,16|57,16 56,46 50,76 36,100"},
}};

Glyph parse(std::string_view text) {
  Glyph glyph(1);
  double x = 0.0;
  double number = 0.0;
  const auto end_point = [&] {
    glyph.back().push_back({x, std::exchange(number, 0.0)});
  };
  for (const char c : text) {
    if (c == ',') {
      x = std::exchange(number, 0.0);
    } else if (c == ' ') {
      end_point();
    } else if (c == '|') {
      end_point();
      glyph.emplace_back();
    } else {
      number = 10.0 * number + (c - '0');
    }
  }
  end_point();
  return glyph;
}

using Font = std::array<std::array<Glyph, kWays>, 10>;

Font make_font() {
  Font font;
  for (std::size_t label = 0; label < font.size(); ++label) {
    for (std::size_t way = 0; way < kWays; ++way) {
      font[label][way] = parse(kAlphabet[label][way]);
    }
  }
  return font;
}

}  // namespace

std::span<const Glyph> glyphs(int label) {
  assert(label >= 0 && label < 10);
  static const Font kFont = make_font();
  return kFont[static_cast<std::size_t>(label)];
}

}  // namespace oa
