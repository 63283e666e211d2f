#include "oa/io/machine/cim_report.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/machine/cim_log.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace oa::io {
namespace {

// Labels in reports of the vendor's site.
constexpr std::string_view kStatus = "任务状态";
constexpr std::string_view kCreated = "创建时间";
constexpr std::string_view kFinished = "结束时间";
constexpr std::string_view kName = "任务名称";
constexpr std::string_view kId = "任务ID";
constexpr std::string_view kMachine = "量子计算机";
constexpr std::string_view kFile = "文件名称";
constexpr std::string_view kRunTime = "运行时长";
constexpr std::string_view kSolution = "结果";
constexpr std::string_view kSpace = " \t\r\n\f\v";

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(kSpace);
  if (begin == text.npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(kSpace) - begin + 1);
}

/// Removes spaces and a colon (also a wide one) from the front.
std::string_view after_colon(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  for (const std::string_view colon : {":", "："}) {
    if (text.starts_with(colon)) {
      text.remove_prefix(colon.size());
      break;
    }
  }
  return text;
}

/// The rest of the line after "label:"; empty if the label is missing.
std::string field(std::string_view text, std::string_view label) {
  const auto at = text.find(label);
  if (at == text.npos) {
    return {};
  }
  const std::string_view rest = text.substr(at + label.size());
  return std::string(trimmed(after_colon(rest.substr(0, rest.find('\n')))));
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> list;
  while (!(text = trimmed(text)).empty()) {
    const auto end = std::min(text.find_first_of(kSpace), text.size());
    list.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return list;
}

/// Reads the table at the top:
/// three labels, a status and two times, by rows or by columns.
void read_state(std::string_view text,
                machine::Report& report,
                const std::string& where) {
  const auto begin = text.find(kStatus);
  if (begin == text.npos) {
    throw InputError(where + ": not a report of a task (expected the label 任务状态)");
  }
  const auto end = text.find(kName);
  std::vector<std::string> times;
  const auto list = words(text.substr(begin, end == text.npos ? end : end - begin));
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string_view word = list[i];
    if (i + 1 < list.size()) {
      std::string both = std::string(word) + " " + std::string(list[i + 1]);
      if (machine::parse_time(both)) {
        times.push_back(std::move(both));
        ++i;
        continue;
      }
    }
    const bool label = word.starts_with(kStatus) || word.starts_with(kCreated) ||
                       word.starts_with(kFinished) || word == "任务概览";
    if (!label && report.status.empty()) {
      report.status = word;
    }
  }
  if (report.status.empty()) {
    throw InputError(where + ": a report without a status");
  }
  if (!times.empty()) {
    report.created = times[0];
  }
  if (times.size() > 1) {
    report.finished = times[1];
  }
}

/// Parses a duration such as "5.3590ms" as milliseconds.
std::optional<double> duration_ms(std::string_view text) {
  const auto end = text.find_first_not_of("0123456789.");
  if (end == text.npos) {
    return std::nullopt;
  }
  const auto value = parse_double(text.substr(0, end));
  const std::string_view unit = trimmed(text.substr(end));
  const double factor = unit == "ms"                   ? 1.0
                        : unit == "s"                  ? 1e3
                        : unit == "us" || unit == "µs" ? 1e-3
                                                       : 0.0;
  return value && factor > 0.0 ? std::optional(*value * factor) : std::nullopt;
}

/// Reads solutions "结果3 ： QUBO值 = -12.0 [0, 1, ...]", across lines and pages.
class Solutions {
 public:
  Solutions(std::string_view text, std::string where)
      : text_(text),
        where_(std::move(where)) {}

  std::vector<machine::Shot> read() {
    std::vector<machine::Shot> shots;
    while (find_next()) {
      if (std::ssize(shots) >= kMaxShots) {
        fail("over " + format(kMaxShots) + " solutions");
      }
      machine::Shot shot;
      shot.energy = energy();
      vector(shot.x);
      if (!shots.empty() && shot.x.size() != shots.front().x.size()) {
        fail("solutions of different length");
      }
      shots.push_back(std::move(shot));
    }
    return shots;
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_ + ": " + what);
  }

  /// Moves to the first character after the '=' of the next "结果<number>".
  bool find_next() {
    while (true) {
      const auto at = text_.find(kSolution);
      if (at == text_.npos) {
        return false;
      }
      text_.remove_prefix(at + kSolution.size());
      const auto digits = text_.find_first_not_of("0123456789");
      if (digits == 0 || digits == text_.npos) {
        continue;
      }
      const auto equals = text_.find('=');
      const auto bracket = text_.find('[');
      if (equals == text_.npos || bracket < equals) {
        fail("a solution without an energy");
      }
      text_.remove_prefix(equals + 1);
      return true;
    }
  }

  double energy() {
    const auto bracket = text_.find('[');
    if (bracket == text_.npos) {
      fail("an energy without a solution");
    }
    const auto value = parse_double(trimmed(text_.substr(0, bracket)));
    if (!value) {
      fail("an energy that is not a number");
    }
    text_.remove_prefix(bracket + 1);
    return *value;
  }

  void vector(machine::Bits& x) {
    const auto end = text_.find(']');
    if (end == text_.npos) {
      fail("a solution without an end");
    }
    bool minus = false;
    for (const char c : text_.substr(0, end)) {
      if (c == '0' || c == '1') {
        x.push_back(c == '1' && !minus ? 1 : 0);
        minus = false;
      } else if (c == '-') {
        minus = true;
      } else if (c != ',' && kSpace.find(c) == kSpace.npos) {
        fail("a solution with other values than 0, 1 and -1");
      }
      if (std::ssize(x) > kMaxShotSize) {
        fail("over " + format(kMaxShotSize) + " variables");
      }
    }
    if (x.empty()) {
      fail("an empty solution");
    }
    text_.remove_prefix(end + 1);
  }

  std::string_view text_;
  std::string where_;
};

}  // namespace

machine::Returned read_cim_report(std::string_view text, const std::string& where) {
  machine::Returned returned;
  machine::Report& report = returned.report.emplace();
  read_state(text, report, where);
  report.name = field(text, kName);
  report.id = field(text, kId);
  report.machine = field(text, kMachine);
  report.file = field(text, kFile);
  if (const std::string run = field(text, kRunTime); !run.empty()) {
    report.run_ms = duration_ms(run);
    if (!report.run_ms) {
      throw InputError(where + ": run time '" + run.substr(0, 20) +
                       "' (expected such as 5.3590ms)");
    }
  }
  if (report.succeeded()) {
    returned.shots = Solutions(text, where).read();
    if (returned.shots.empty()) {
      throw InputError(where + ": a report of success without solutions");
    }
  }
  return returned;
}

}  // namespace oa::io
