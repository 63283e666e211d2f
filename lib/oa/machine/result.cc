#include "oa/machine/result.h"

#include "oa/base/number.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>

namespace oa::machine {
namespace {

/// Parses `text` as a number if it consists of digits only.
std::optional<std::int64_t> digits(std::string_view text) {
  const bool plain = !text.empty() && text.size() <= 18 &&
                     text.find_first_not_of("0123456789") == text.npos;
  return plain ? parse_int(text) : std::nullopt;
}

/// The file name without folders and without suffixes such as ".csv".
std::string_view stem_of(std::string_view name) {
  name.remove_prefix(name.find_last_of("/\\") + 1);
  constexpr std::array<std::string_view, 5> kSuffixes{
      ".log", ".json", ".npy", ".pdf", ".csv"};
  for (const std::string_view suffix : kSuffixes) {
    if (name.ends_with(suffix)) {
      name.remove_suffix(suffix.size());
      break;
    }
  }
  return name;
}

/// Removes the number at the end of `text` and returns it.
std::optional<std::int64_t> cut_number(std::string_view& text) {
  const auto begin = text.find_last_not_of("0123456789") + 1;
  const auto number = digits(text.substr(begin));
  text = text.substr(0, begin);
  return number;
}

bool cut_last(std::string_view& text, char last) {
  const bool there = text.ends_with(last);
  text.remove_suffix(there ? 1 : 0);
  return there;
}

std::size_t bytes_of_bits(std::int32_t count) {
  return (static_cast<std::size_t>(count) + 7) / 8;
}

}  // namespace

PackedShots::PackedShots(const std::vector<Shot>& shots)
    : count_(static_cast<std::int32_t>(shots.size())),
      variables_(shots.empty() ? 0
                               : static_cast<std::int32_t>(shots.front().x.size())) {
  bytes_ = std::make_unique<std::uint8_t[]>(bytes());
  std::uint8_t* to = bytes_.get();
  for (const Shot& shot : shots) {
    const double energy =
        shot.energy + 0.0;  // + 0.0 turns -0 into 0: equal energies have equal bytes
    std::memcpy(to, &energy, sizeof energy);
    to += sizeof energy;
    for (std::size_t i = 0; i < shot.x.size(); ++i) {
      to[i / 8] = static_cast<std::uint8_t>(to[i / 8] | shot.x[i] << i % 8);
    }
    to += bytes_of_bits(variables_);
  }
}

std::size_t PackedShots::bytes() const {
  return static_cast<std::size_t>(count_) *
         (sizeof(double) + bytes_of_bits(variables_));
}

Bits PackedShots::x(std::int64_t k) const {
  const std::size_t each = sizeof(double) + bytes_of_bits(variables_);
  const std::uint8_t* from =
      bytes_.get() + static_cast<std::size_t>(k) * each + sizeof(double);
  Bits x(static_cast<std::size_t>(variables_));
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = from[i / 8] >> i % 8 & 1U;
  }
  return x;
}

bool PackedShots::operator==(const PackedShots& other) const {
  return count_ == other.count_ && variables_ == other.variables_ &&
         std::equal(bytes_.get(), bytes_.get() + bytes(), other.bytes_.get());
}

Run::Run(const Report& report)
    : run_ms_(report.run_ms.value_or(std::numeric_limits<double>::quiet_NaN())) {
  std::string all;
  for (const std::string* part :
       {&report.id, &report.machine, &report.created, &report.finished}) {
    all += part->c_str();  // c_str(): a part ends at its first 0
    all += '\0';
  }
  parts_ = std::make_unique<char[]>(all.size());
  std::ranges::copy(all, parts_.get());
}

std::string_view Run::part(std::size_t k) const {
  const char* at = parts_.get();
  for (; k > 0; --k) {
    at += std::strlen(at) + 1;
  }
  return at;
}

std::optional<double> Run::run_ms() const {
  return std::isnan(run_ms_) ? std::nullopt : std::optional(run_ms_);
}

std::optional<double> Run::queue_s() const {
  const auto begin = parse_time(created());
  const auto end = parse_time(finished());
  return begin && end ? std::optional(static_cast<double>(*end - *begin))
                      : std::nullopt;
}

bool Run::same_run(const Run& other) const {
  if (!id().empty() && !other.id().empty()) {
    return id() == other.id();
  }
  return created() == other.created() && finished() == other.finished() &&
         run_ms() == other.run_ms();
}

std::optional<NamedTask> task_named(std::string_view name, std::string_view own) {
  std::string_view stem = stem_of(name);
  if (const auto plain = digits(stem)) {
    return NamedTask{*plain};
  }
  if (!own.empty() && stem.starts_with(own)) {
    if (const auto plain = digits(stem.substr(own.size()))) {
      return NamedTask{*plain};
    }
  }
  const auto place = cut_number(stem);
  if (!place || !cut_last(stem, '_')) {
    return std::nullopt;
  }
  const auto last = cut_number(stem);
  if (!last || !cut_last(stem, '-')) {
    return std::nullopt;
  }
  const auto first = cut_number(stem);
  if (!first || *place < 1 || *place > *last - *first + 1) {
    return std::nullopt;
  }
  return NamedTask{*first, *place, *last};
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-dd dd:dd:dd";
  if (text.size() != kForm.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool digit = text[i] >= '0' && text[i] <= '9';
    if (kForm[i] == 'd' ? !digit : text[i] != kForm[i]) {
      return std::nullopt;
    }
  }
  const auto number = [&](std::size_t from, std::size_t size) {
    return static_cast<int>(*digits(text.substr(from, size)));
  };
  using namespace std::chrono;
  const year_month_day day(year(number(0, 4)),
                           month(static_cast<unsigned>(number(5, 2))),
                           std::chrono::day(static_cast<unsigned>(number(8, 2))));
  if (!day.ok()) {
    return std::nullopt;
  }
  const auto since = sys_days(day).time_since_epoch() + hours(number(11, 2)) +
                     minutes(number(14, 2)) + seconds(number(17, 2));
  return duration_cast<seconds>(since).count();
}

}  // namespace oa::machine
