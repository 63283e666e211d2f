#include "oa/io/table/training_log.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/table/whole_text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMaxLog = std::size_t{1} << 30;  // oa-formats(5), LIMITS
constexpr const char* kExpected = " (expected a log of oa-train)";

/// A number that can be drawn; what is not there or beyond is not measured.
std::optional<double> number_of(const Json& json) {
  constexpr double kMost = 1e100;
  if (!json.is_number() || std::abs(json.get<double>()) > kMost) {
    return std::nullopt;
  }
  return json.get<double>();
}

std::optional<double> share_of(const Json& json) {
  const auto value = number_of(json);
  return value && 0.0 <= *value && *value <= 1.0 ? value : std::nullopt;
}

std::optional<double> number_at(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() ? number_of(*found) : std::nullopt;
}

std::optional<double> share_at(const Json& object, const char* name) {
  const auto found = object.find(name);
  return found != object.end() ? share_of(*found) : std::nullopt;
}

/// One curve for each seed of a log.
class Curves {
 public:
  void add_line(const Json& line, const std::string& place) {
    const auto type = line.find("type");
    const auto epoch = number_at(line, "epoch");
    constexpr double kMostEpochs = 1e9;
    if (type == line.end() || !type->is_string() || !epoch || *epoch < 0.0 ||
        *epoch > kMostEpochs) {
      throw InputError(place + ": no type and epoch" + kExpected);
    }
    Seed& seed = of_seed(number_at(line, "seed").value_or(0.0));
    plot::Curve::Epoch point;
    point.epoch = *epoch;
    point.train_loss = number_at(line, "train_loss");
    point.train_accuracy = share_at(line, "train_accuracy");
    if (*type == "step") {
      seed.last_step = point;
      return;
    }
    point.test_loss = number_at(line, "test_loss");
    point.test_accuracy = share_at(line, "test_accuracy");
    if (!point.test_loss && !point.test_accuracy) {
      point.test_loss = number_at(line, "validation_loss");
      point.test_accuracy = share_at(line, "validation_accuracy");
      seed.curve.held_out = seed.curve.held_out || point.test_loss.has_value();
    }
    add_epoch(seed, point);
  }

  [[nodiscard]] std::vector<plot::Curve> take_curves() {
    std::vector<plot::Curve> curves;
    for (auto& [number, seed] : seeds_) {
      if (seeds_.size() > 1) {
        seed.curve.name = "seed " + format(number);
      }
      // An epoch under way shows its steps so far.
      if (seed.last_step && (seed.curve.epochs.empty() ||
                             seed.curve.epochs.back().epoch < seed.last_step->epoch)) {
        seed.curve.epochs.push_back(*seed.last_step);
      }
      curves.push_back(std::move(seed.curve));
    }
    return curves;
  }

 private:
  struct Seed {
    plot::Curve curve;
    std::optional<plot::Curve::Epoch> last_step;
  };

  Seed& of_seed(double number) { return seeds_[number]; }

  /// A training that was resumed writes epochs again: the last count.
  static void add_epoch(Seed& seed, const plot::Curve::Epoch& point) {
    auto& epochs = seed.curve.epochs;
    const auto at =
        std::ranges::lower_bound(epochs, point.epoch, {}, &plot::Curve::Epoch::epoch);
    if (at != epochs.end() && at->epoch == point.epoch) {
      *at = point;
    } else {
      epochs.insert(at, point);
    }
  }

  std::map<double, Seed> seeds_;
};

/// The public reproduction's: {"train_loss": [...], "train_acc": [...], ...}.
plot::Curve curve_of_lists(const Json& lists) {
  plot::Curve curve;
  using Field = std::optional<double> plot::Curve::Epoch::*;
  const auto fill = [&](const char* name, Field to, auto read) {
    const auto list = lists.find(name);
    if (list == lists.end() || !list->is_array()) {
      return;
    }
    for (std::size_t i = 0; i < list->size(); ++i) {
      if (i == curve.epochs.size()) {
        curve.epochs.push_back({static_cast<double>(i) + 1.0, {}, {}, {}, {}});
      }
      curve.epochs[i].*to = read((*list)[i]);
    }
  };
  fill("train_loss", &plot::Curve::Epoch::train_loss, number_of);
  fill("train_acc", &plot::Curve::Epoch::train_accuracy, share_of);
  fill("test_loss", &plot::Curve::Epoch::test_loss, number_of);
  fill("test_acc", &plot::Curve::Epoch::test_accuracy, share_of);
  return curve;
}

/// Depth matters: a log of "[[[[..." must not end the program.
Json parse(std::string_view text) {
  constexpr int kMaxDepth = 8;
  const auto shallow = [](int depth, Json::parse_event_t, Json&) {
    return depth <= kMaxDepth;
  };
  return Json::parse(text, shallow, false);
}

std::vector<plot::Curve> read_lines(std::string_view text,
                                    const std::string& name,
                                    bool& cut) {
  Curves curves;
  std::int64_t number = 0;
  const bool ended = text.ends_with('\n') || text.ends_with('\r');
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = take_line(left);
    const std::string place = name + ":" + format(++number);
    const Json json = parse(line);
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

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  for (;;) {
    const std::size_t comma = std::min(line.find(','), line.size());
    cells.push_back(line.substr(0, comma));
    if (comma == line.size()) {
      return cells;
    }
    line.remove_prefix(comma + 1);
  }
}

/// The table of `oa-train --csv`: a row for each epoch, an empty cell where nothing was
/// measured.
std::vector<plot::Curve> read_rows(std::string_view text,
                                   const std::string& name,
                                   bool& cut) {
  const bool ended = text.ends_with('\n') || text.ends_with('\r');
  const std::vector<std::string_view> names = cells_of(take_line(text));
  Curves curves;
  std::int64_t number = 1;
  for (std::string_view left = text; !left.empty();) {
    const std::string_view line = take_line(left);
    const std::string place = name + ":" + format(++number);
    const std::vector<std::string_view> cells = cells_of(line);
    if (line.empty()) {
      continue;
    }
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

std::vector<plot::Curve> read_training_log(Input& input, bool& cut) {
  skip_mark(input);
  const std::string text = read_whole_text(input, kMaxLog, "a log of over 1 GiB");
  refuse_nul(text, input.name());
  const bool many_lines = text.find("\"type\"") != text.npos;
  std::vector<plot::Curve> curves;
  if (text.starts_with(kCsvBegins)) {
    curves = read_rows(text, input.name(), cut);
  } else if (many_lines) {
    curves = read_lines(text, input.name(), cut);
  } else if (const Json lists = parse(text); lists.is_object()) {
    curves.push_back(curve_of_lists(lists));
  }
  std::erase_if(curves, [](const plot::Curve& curve) { return curve.epochs.empty(); });
  if (curves.empty()) {
    throw InputError(input.name() + ": no epoch and no step" + kExpected);
  }
  return curves;
}

}  // namespace oa::io
