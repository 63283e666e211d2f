#include "oa/plot/axes.h"

#include "oa/base/number.h"
#include "oa/plot/font.h"
#include "oa/plot/marks.h"
#include "oa/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace oa::plot {
namespace {

/// Returns the smallest number >= `least` of 1, 2 or 5 times a power of ten.
double round_step(double least) {
  const double power = std::pow(10.0, std::floor(std::log10(least)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= least * (1.0 - 1e-9)) {
      return factor * power;
    }
  }
  return 10.0 * power;
}

std::string label_of(double value, double step, bool percent) {
  const double shown = percent ? 100.0 * value : value;
  const double unit = percent ? 100.0 * step : step;
  const int decimals =
      std::max(0, static_cast<int>(std::ceil(-std::log10(unit) - 1e-9)));
  return format_fixed(shown, decimals) + (percent ? " %" : "");
}

double logit(double share) {
  return std::log(share / (1.0 - share));
}

/// Places ticks at powers of ten within the axis.
std::vector<Tick> power_ticks(const Axis& axis, int most) {
  const int first = static_cast<int>(std::ceil(std::log10(axis.low) - 1e-9));
  const int last = static_cast<int>(std::floor(std::log10(axis.high) + 1e-9));
  const int step = std::max(1, (last - first + most - 1) / most);
  constexpr int kSmallest = -4;  // smallest power written as a decimal number
  constexpr int kLargest = 5;    // largest power written as a decimal number
  const bool decimal = axis.percent || (first >= kSmallest && last <= kLargest);
  std::vector<Tick> all;
  for (int e = first; e <= last; e += step) {
    const double power = std::pow(10.0, e);
    all.push_back(
        {power, decimal ? label_of(power, power, axis.percent) : "1e" + format(e)});
  }
  return all;
}

/// Places ticks at 1 %, 10 %, 50 %, 90 %, 99 % and so on within the axis.
std::vector<Tick> odds_ticks(const Axis& axis, int most) {
  constexpr int kMaxPower = 9;
  for (int step = 1;; ++step) {
    std::vector<Tick> all;
    const auto add = [&](double value, double unit) {
      if (axis.low <= value && value <= axis.high) {
        all.push_back({value, label_of(value, unit, true)});
      }
    };
    for (int power = kMaxPower; power >= 1; --power) {
      if (power % step == 0) {
        add(std::pow(10.0, -power), std::pow(10.0, -power));
      }
    }
    add(0.5, 0.1);
    for (int power = 1; power <= kMaxPower; ++power) {
      if (power % step == 0) {
        add(1.0 - std::pow(10.0, -power), std::pow(10.0, -power));
      }
    }
    if (std::ssize(all) <= most || step > kMaxPower) {
      return all;
    }
  }
}

std::vector<Tick> value_ticks(const Axis& axis) {
  std::vector<Tick> all;
  for (const double value : axis.values) {
    all.push_back({value, format(value)});
  }
  return all;
}

std::vector<Point> steps_of(const ShareLine& share, const Frame& frame, bool missing) {
  double within = share.before;
  const auto point = [&](double x) {
    const double part = within / share.total;
    return frame.at(x, missing ? std::max(1.0 - part, frame.y.low) : part);
  };
  std::vector<Point> line{point(frame.x.low)};
  for (std::size_t i = 0; i < share.values.size(); ++i) {
    // Joins steps that are too close to be seen.
    const bool last = i + 1 == share.values.size();
    ++within;
    const double x = std::max(share.values[i], frame.x.low);
    const Point next = point(x);
    if (last || next.x - line.back().x > 0.5 ||
        std::abs(line.back().y - next.y) > 0.5) {
      line.push_back({next.x, line.back().y});
      line.push_back(next);
    }
  }
  line.push_back({frame.corner.x + frame.width, line.back().y});
  return line;
}

/// Draws an interval of the last share as a line with bars, `before` the right end.
void draw_end(const Interval& range,
              const Frame& frame,
              double before,
              Color color,
              Scene& scene) {
  const auto at = [&](double share) {
    Point p = frame.at(frame.x.high, share);
    p.x -= before;
    return p;
  };
  const Point from = at(range.low);
  const Point to = at(range.high);
  constexpr double kEnd = 3.0;
  scene.line({from, to}, color, 1.0);
  for (const Point& p : {from, to}) {
    scene.line({{p.x - kEnd, p.y}, {p.x + kEnd, p.y}}, color, 1.0);
  }
}

/// Draws an interval at half the height, as a line with bars.
/// `below` separates lines of overlapping intervals.
void draw_middle(const Interval& range,
                 const Frame& frame,
                 double below,
                 Color color,
                 Scene& scene) {
  const auto at = [&](double x) {
    Point p = frame.at(std::clamp(x, frame.x.low, frame.x.high), 0.5);
    p.y += below;
    return p;
  };
  const Point from = at(range.low);
  const Point to = at(range.high);
  constexpr double kEnd = 3.0;
  scene.line({from, to}, color, 1.0);
  scene.line({{from.x, from.y - kEnd}, {from.x, from.y + kEnd}}, color, 1.0);
  if (range.high <= frame.x.high) {
    scene.line({{to.x, to.y - kEnd}, {to.x, to.y + kEnd}}, color, 1.0);
  }
}

}  // namespace

void draw_heading(Scene& scene, std::string_view facts) {
  scene.items.emplace_back(
      Text{{kMargin, 27.0}, scene.title, 16.0, Align::Left, kInk, true, false});
  scene.text({kMargin, 45.0}, std::string(facts), 11.0, Align::Left, kGray);
}

double Axis::share(double value) const {
  const auto scaled = [this](double v) {
    return log ? std::log(v) : odds ? logit(v) : v;
  };
  return (scaled(value) - scaled(low)) / (scaled(high) - scaled(low));
}

std::vector<Tick> ticks(const Axis& axis, int most) {
  if (!axis.values.empty()) {
    return value_ticks(axis);
  }
  std::vector<Tick> all = axis.log    ? power_ticks(axis, most)
                          : axis.odds ? odds_ticks(axis, most)
                                      : std::vector<Tick>{};
  if (all.size() > 1) {
    return all;
  }
  all.clear();  // the axis is too short for ticks at whole numbers
  const double least = (axis.high - axis.low) / most;
  const double step = round_step(axis.whole ? std::max(least, 1.0) : least);
  const double first = std::ceil(axis.low / step - 1e-9);
  for (int k = 0; k <= most && (first + k) * step <= axis.high + 1e-9 * step; ++k) {
    const double value = first + k == 0.0 ? 0.0 : (first + k) * step;  // no -0
    all.push_back({value, label_of(value, step, axis.percent)});
  }
  return all;
}

std::vector<double> minor_ticks(const Axis& axis) {
  std::vector<double> all;
  if (!axis.log || !axis.values.empty() || std::log10(axis.high / axis.low) > 10.0) {
    return all;
  }
  const auto first = static_cast<int>(std::floor(std::log10(axis.low) + 1e-9));
  for (int e = first; std::pow(10.0, e) < axis.high; ++e) {
    for (int k = 2; k <= 9; ++k) {
      const double value = k * std::pow(10.0, e);
      if (value > axis.low && value < axis.high) {
        all.push_back(value);
      }
    }
  }
  return all;
}

Axis rounded_axis(double low, double high) {
  // Ticks of a very short axis would all have one text.
  const double size = std::max(std::abs(low), std::abs(high));
  if (high - low <= 1e-9 * size) {
    const double room = size == 0.0 ? 1.0 : 0.1 * size;
    low -= room;
    high += room;
  }
  const double step = round_step((high - low) / 8.0);
  return {std::floor(low / step + 1e-9) * step, std::ceil(high / step - 1e-9) * step};
}

Axis log_axis(double low, double high) {
  constexpr double kRoom = 1.25;
  return {low / kRoom, high * kRoom, true};
}

Axis power_axis(double low, double high) {
  const double below = std::pow(10.0, std::floor(std::log10(low)));
  const double above = std::pow(10.0, std::ceil(std::log10(high)));
  return {below, std::max(above, 10.0 * below), true};
}

Axis odds_axis(double low, double high) {
  constexpr double kRoom = 0.05;
  constexpr double kMinRoom = 0.2;
  const double room = std::max(kRoom * (logit(high) - logit(low)), kMinRoom);
  const auto share = [](double odds) { return 1.0 / (1.0 + std::exp(-odds)); };
  return {.low = share(logit(low) - room),
          .high = share(logit(high) + room),
          .percent = true,
          .odds = true};
}

void draw_y_axis(const Frame& frame, std::string_view name, Scene& scene) {
  const double right = frame.corner.x + frame.width;
  const double bottom = frame.corner.y + frame.height;
  const int most = std::max(2, static_cast<int>(frame.height / 32.0));
  for (const Tick& tick : ticks(frame.y, most)) {
    const double y = frame.at(frame.x.low, tick.value).y;
    scene.fine_line({frame.corner.x, y}, {right, y}, kFaint);
    scene.text({frame.corner.x - 6.0, y + 4.0}, tick.label, 10.0, Align::Right, kGray);
  }
  for (const double value : minor_ticks(frame.y)) {
    const double y = frame.at(frame.x.low, value).y;
    scene.fine_line({frame.corner.x - 3.0, y}, {frame.corner.x, y}, kGray);
  }
  scene.fine_line({frame.corner.x, bottom}, {right, bottom}, kInk);
  scene.text({frame.corner.x, frame.corner.y - 10.0},
             std::string(name),
             11.0,
             Align::Left,
             kInk);
}

void draw_x_axis(const Frame& frame, std::string_view name, Scene& scene) {
  const double bottom = frame.corner.y + frame.height;
  const int most = std::max(2, static_cast<int>(frame.width / 48.0));
  for (const Tick& tick : ticks(frame.x, most)) {
    const double x = frame.at(tick.value, frame.y.low).x;
    scene.fine_line({x, bottom}, {x, bottom + 4.0}, kInk);
    scene.text({x, bottom + 20.0}, tick.label, 10.0, Align::Center, kGray);
  }
  for (const double value : minor_ticks(frame.x)) {
    const double x = frame.at(value, frame.y.low).x;
    scene.fine_line({x, bottom}, {x, bottom + 2.5}, kGray);
  }
  scene.text({frame.corner.x + frame.width, bottom + 36.0},
             std::string(name),
             11.0,
             Align::Right,
             kInk);
}

void draw_note(
    Point at, const std::string& words, double size, Color color, Scene& scene) {
  const bool fits = at.x + 8.0 * columns_of(words) <= scene.width;
  scene.text({fits ? at.x : kMargin, at.y}, words, size, Align::Left, color);
}

double draw_keys(const std::vector<Key>& keys,
                 Point corner,
                 double right,
                 Scene& scene,
                 bool marked) {
  constexpr double kRow = 16.0;
  constexpr double kMark = 16.0;
  Point at = corner;
  for (const Key& key : keys) {
    // A terminal needs 8 units per letter.
    const double wide =
        kMark + 8.0 + std::max(text_width(key.name, 11.0), 8.0 * columns_of(key.name)) +
        16.0;
    if (at.x > corner.x && at.x + wide > right) {
      at = {corner.x, at.y + kRow};
    }
    scene.rectangle({at.x, at.y}, kMark, 12.0, key.color);
    if (keys.size() > 1) {
      if (marked) {
        draw_mark(static_cast<int>(scene.runs.size()),
                  {at.x + 0.5 * kMark, at.y + 6.0},
                  3.6,
                  kPaper,
                  scene);
      }
      scene.runs.push_back(key.color);
    }
    scene.text({at.x + kMark + 8.0, at.y + 10.0}, key.name, 11.0, Align::Left, kInk);
    at.x += wide;
  }
  return at.y + kRow - corner.y;
}

Scene draw(const ShareChart& chart, double wanted) {
  constexpr double kLeft = 64.0;
  constexpr double kFrameWidth = 640.0;
  constexpr double kHeight = 288.0;
  Scene scene;
  scene.title = chart.title;
  constexpr double kAround = kLeft + kMargin + 16.0;
  const double width = wanted > 0.0 ? wanted - kAround : kFrameWidth;
  scene.width = kAround + width;
  draw_heading(scene, chart.facts);
  std::vector<Key> keys;
  for (const ShareLine& line : chart.lines) {
    keys.push_back({line.name, series_color(static_cast<int>(keys.size()))});
  }
  const double keys_height =
      draw_keys(keys, {kMargin, kHeadingHeight}, scene.width - kMargin, scene);
  const Frame frame{
      {kLeft, kHeadingHeight + keys_height + 32.0}, width, kHeight, chart.x, chart.y};
  draw_y_axis(frame, chart.y_name, scene);
  draw_x_axis(frame, chart.x_name, scene);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::vector<Point> line = steps_of(chart.lines[i], frame, chart.missing);
    if (keys.size() > 1) {
      draw_marks_along(static_cast<int>(i), line, keys[i].color, scene);
    }
    scene.line(std::move(line), keys[i].color, 2.0);
    if (const auto& middle = chart.lines[i].middle) {
      draw_middle(*middle, frame, 8.0 * static_cast<double>(i), keys[i].color, scene);
    }
    if (const auto& end = chart.lines[i].end) {
      draw_end(*end, frame, 4.0 + 8.0 * static_cast<double>(i), keys[i].color, scene);
    }
  }
  scene.height = frame.corner.y + frame.height + 48.0;
  return scene;
}

}  // namespace oa::plot
