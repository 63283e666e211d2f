#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/bytes/whole_text.h"
#include "oa/io/table/chart_data.h"
#include "oa/io/table/csv.h"
#include "oa/io/table/json_fields-inl.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxLog = std::size_t{1} << 30;  // oa-formats(5), LIMITS
constexpr const char* kExpected = " (expected a log of oa-train)";

/// Collects a curve for each seed of a log.
class Curves {
 public:
  explicit Curves(bool steps) : steps_(steps) {}

  void add_line(const Json& line, const std::string& place) {
    const Json& type = member_of(line, "type");
    const auto epoch = number_of(member_of(line, "epoch"));
    constexpr double kMaxEpochs = 1e9;
    if (!type.is_string() || !epoch || *epoch < 0.0 || *epoch > kMaxEpochs) {
      throw InputError(place + ": no type and epoch" + kExpected);
    }
    const auto step = number_of(member_of(line, "step"));
    if (steps_ && !step) {
      return;  // a model before its training, or an older version
    }
    Seed& seed = seeds_[number_of(member_of(line, "seed")).value_or(0.0)];
    const bool within = type == "step";
    Point point;
    point.epoch = *epoch;
    point.train_loss = number_of(member_of(line, "train_loss"));
    point.train_accuracy = share_of(member_of(line, "train_accuracy"));
    if (!within) {
      point.test_loss = number_of(member_of(line, "test_loss"));
      point.test_accuracy = share_of(member_of(line, "test_accuracy"));
      if (!point.test_loss && !point.test_accuracy) {
        point.test_loss = number_of(member_of(line, "validation_loss"));
        point.test_accuracy = share_of(member_of(line, "validation_accuracy"));
        seed.held_out = seed.held_out || point.test_loss.has_value();
      }
    }
    // A resumed training repeats lines: the last copy counts.
    seed.lines[{*epoch, within ? step.value_or(0.0) : kAtEnd}] = {step.value_or(0.0),
                                                                  std::move(point)};
  }

  [[nodiscard]] std::vector<score::Curve> take_curves() const {
    std::vector<score::Curve> curves;
    for (const auto& [number, seed] : seeds_) {
      score::Curve curve;
      if (seeds_.size() > 1) {
        curve.name = "seed " + format(number);
      }
      curve.held_out = seed.held_out;
      curve.epochs = steps_ ? over_steps(seed) : over_epochs(seed);
      curves.push_back(std::move(curve));
    }
    return curves;
  }

 private:
  using Point = score::Curve::Epoch;

  static constexpr double kAtEnd = std::numeric_limits<double>::infinity();

  struct Line {
    double step = 0.0;
    Point point;  // training values are means since the epoch's start
  };

  struct Seed {
    bool held_out = false;
    std::map<std::pair<double, double>, Line> lines;  // keyed by epoch, and step in it
  };

  /// Returns a point for each epoch; an unfinished epoch gets its latest point.
  static std::vector<Point> over_epochs(const Seed& seed) {
    std::vector<Point> points;
    for (auto at = seed.lines.begin(); at != seed.lines.end(); ++at) {
      if (at->first.second == kAtEnd || std::next(at) == seed.lines.end()) {
        points.push_back(at->second.point);
      }
    }
    return points;
  }

  static std::vector<Point> over_steps(const Seed& seed) {
    std::vector<Point> points;
    double begin = 0.0;  // step at the epoch's start
    Line before;
    for (const auto& [place, line] : seed.lines) {
      Point point = line.point;
      point.epoch = line.step;
      const double steps = line.step - begin;
      const double known = before.step - begin;
      if (known > 0.0 && steps > known) {
        for (const auto field : {&Point::train_loss, &Point::train_accuracy}) {
          const auto& all = line.point.*field;
          const auto& first = before.point.*field;
          if (all && first) {
            point.*field = (steps * *all - known * *first) / (steps - known);
          }
        }
      } else if (known > 0.0) {  // the epoch ends at its last logged step
        point.train_loss.reset();
        point.train_accuracy.reset();
      }
      points.push_back(point);
      before = line;
      if (place.second == kAtEnd) {
        begin = line.step;
      }
    }
    return points;
  }

  bool steps_;
  std::map<double, Seed> seeds_;
};

/// Reads the format of the public reproduction: {"train_loss": [...], ...}.
score::Curve curve_of_lists(const Json& lists) {
  score::Curve curve;
  using Field = std::optional<double> score::Curve::Epoch::*;
  const auto fill = [&](const char* name, Field to, auto read) {
    const Json& list = member_of(lists, name);
    for (std::size_t i = 0; list.is_array() && i < list.size(); ++i) {
      if (i == curve.epochs.size()) {
        curve.epochs.push_back({static_cast<double>(i) + 1.0, {}, {}, {}, {}});
      }
      curve.epochs[i].*to = read(list[i]);
    }
  };
  fill("train_loss", &score::Curve::Epoch::train_loss, number_of);
  fill("train_acc", &score::Curve::Epoch::train_accuracy, share_of);
  fill("test_loss", &score::Curve::Epoch::test_loss, number_of);
  fill("test_acc", &score::Curve::Epoch::test_accuracy, share_of);
  return curve;
}

std::vector<score::Curve> read_lines(std::string_view text,
                                     const std::string& name,
                                     bool steps,
                                     bool& cut) {
  Curves curves(steps);
  std::int64_t number = 0;
  const bool ended = text.ends_with('\n') || text.ends_with('\r');
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = take_line(left);
    const std::string place = name + ":" + format(++number);
    const Json json = parse_shallow(line);
    if (json.is_object()) {
      curves.add_line(json, place);
    } else if (line.find_first_not_of(" \t") != line.npos) {
      if (!left.empty() || ended || number == 1) {
        throw InputError(place + ": not a JSON object" + kExpected);
      }
      cut = true;
    }
  }
  return curves.take_curves();
}

constexpr std::string_view kCsvBegins = "seed,epoch,";

/// Reads the table of `oa-train --csv`: a row for each epoch;
/// an empty cell means no measurement.
std::vector<score::Curve> read_rows(std::string_view text,
                                    const std::string& name,
                                    bool steps,
                                    bool& cut) {
  const bool ended = text.ends_with('\n') || text.ends_with('\r');
  std::string header(take_line(text));
  std::string row_text;
  std::vector<std::string_view> names;
  std::vector<std::string_view> cells;
  (void)split_cells(header, names);
  Curves curves(steps);
  std::int64_t number = 1;
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = take_line(left);
    const std::string place = name + ":" + format(++number);
    if (line.empty()) {
      continue;
    }
    row_text = line;
    (void)split_cells(row_text, cells);
    if (left.empty() && !ended &&
        (cells.size() < names.size() || cells.back().empty())) {
      cut = true;
      break;
    }
    if (cells.size() != names.size()) {
      throw InputError(place + ": " + format(std::ssize(cells)) + " cells (expected " +
                       format(std::ssize(names)) + ")");
    }
    Json row{{"type", "epoch"}};
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const auto value = parse_double(cells[k]);
      if (!cells[k].empty() && !value) {
        throw InputError(place + ": '" + std::string(cells[k].substr(0, 40)) +
                         "' (expected a number)");
      }
      if (value) {
        row[std::string(names[k])] = *value;
      }
    }
    curves.add_line(row, place);
  }
  return curves.take_curves();
}

}  // namespace

std::vector<score::Curve> read_training_log(Input& input, bool steps, bool& cut) {
  skip_mark(input);
  const std::string text = read_whole_text(input, kMaxLog, "a log of over 1 GiB");
  refuse_nul(text, input.name());
  const bool many_lines = text.find("\"type\"") != text.npos;
  std::vector<score::Curve> curves;
  if (text.starts_with(kCsvBegins)) {
    curves = read_rows(text, input.name(), steps, cut);
  } else if (many_lines) {
    curves = read_lines(text, input.name(), steps, cut);
  } else if (const Json lists = parse_shallow(text); lists.is_object() && !steps) {
    curves.push_back(curve_of_lists(lists));
  }
  std::erase_if(curves, [](const score::Curve& curve) { return curve.epochs.empty(); });
  if (curves.empty()) {
    throw InputError(input.name() + (steps ? ": no step" : ": no epoch and no step") +
                     kExpected);
  }
  return curves;
}

}  // namespace oa::io
