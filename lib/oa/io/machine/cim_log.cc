#include "oa/io/machine/cim_log.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"
#include "oa/io/table/json_fields-inl.h"

#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace oa::io {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kEnergy = "quboValue";
constexpr std::string_view kVector = "solutionVector";
constexpr int kMaxDepth = 8;

/// Collects the solutions of a JSON log while it is parsed, up to a limit.
class LogHandler : public NumberSax {
 public:
  explicit LogHandler(std::string where) : where_(std::move(where)) {}

  std::vector<machine::Shot> take_shots() {
    if (shots_.empty()) {
      fail("no solutions");
    }
    return std::move(shots_);
  }

  bool start_object(std::size_t /*elements*/) override {
    keys_.emplace_back();
    if (depth_ == 0) {
      fail("a JSON object (expected an array of solutions)");
    }
    if (depth_ == 1) {
      energy_.reset();
      x_.clear();
    }
    return enter();
  }
  bool start_array(std::size_t /*elements*/) override {
    if (depth_ == 1) {
      fail("an array in the array (expected solutions, which are objects)");
    }
    if (depth_ == 2 && key_ == kVector) {
      in_vector_ = true;
    } else if (in_vector_) {
      fail("an array in solutionVector (expected numbers)");
    }
    return enter();
  }
  bool key(string_t& name) override {
    if (!keys_.back().insert(name).second) {
      fail(here() + ": '" + name.substr(0, 40) + "' twice in an object");
    }
    key_ = name;
    return true;
  }
  bool end_object() override {
    keys_.pop_back();
    if (--depth_ == 1) {
      end_shot();
    }
    return true;
  }
  bool end_array() override {
    --depth_;
    in_vector_ = false;
    return true;
  }
  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const Json::exception& error) override {
    // nlohmann reports numbers such as 1e999 by exception 406.
    fail(error.id == 406 ? "a number too large"
                         : "not JSON at byte " + std::to_string(position));
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(where_ + ": " + what);
  }
  [[nodiscard]] std::string here() const {
    return "solution " + format(std::ssize(shots_));
  }

  bool enter() {
    if (++depth_ > kMaxDepth) {
      fail("JSON of over " + format(kMaxDepth) + " levels");
    }
    return true;
  }

  bool value(std::optional<double> number) override {
    if (depth_ < 2) {
      fail("no array of solutions (expected objects)");
    }
    if (in_vector_) {
      const bool bit = number && (*number == 0.0 || *number == 1.0);
      if (!bit && !(number && *number == -1.0)) {
        fail(here() + ": solutionVector holds " +
             (number ? format(*number) : "a value that is not a number") +
             " (expected 0, 1 or -1)");
      }
      if (x_.size() >= static_cast<std::size_t>(kMaxShotSize)) {
        fail(here() + ": over " + format(kMaxShotSize) + " variables");
      }
      x_.push_back(static_cast<std::int8_t>(*number));
    } else if (depth_ == 2 && key_ == kEnergy) {
      if (!number || !std::isfinite(*number)) {
        fail(here() + ": quboValue is not a number");
      }
      energy_ = number;
    }
    return true;
  }

  void end_shot() {
    if (!energy_ || x_.empty()) {
      fail(here() + ": no " + std::string(energy_ ? kVector : kEnergy));
    }
    if (!shots_.empty() && shots_.front().x.size() != x_.size()) {
      fail(here() + ": " + format(std::ssize(x_)) + " variables, but solution 0 has " +
           format(std::ssize(shots_.front().x)));
    }
    if (std::ssize(shots_) >= kMaxShots) {
      fail("over " + format(kMaxShots) + " solutions");
    }
    machine::Shot shot{*energy_, {}};
    bool zero = false;
    bool minus = false;
    for (const std::int8_t v : x_) {
      zero = zero || v == 0;
      minus = minus || v == -1;
      shot.x.push_back(v == 1 ? 1 : 0);
    }
    if (zero && minus) {
      fail(here() + ": solutionVector mixes 0 and -1");
    }
    shots_.push_back(std::move(shot));
  }

  std::string where_;
  std::vector<machine::Shot> shots_;
  int depth_ = 0;
  std::vector<std::set<std::string>> keys_;  // keys of each open object
  std::string key_;
  bool in_vector_ = false;
  std::optional<double> energy_;
  std::vector<std::int8_t> x_;
};

}  // namespace

std::vector<machine::Shot> read_cim_log(std::string_view text,
                                        const std::string& where) {
  if (text.size() > kMaxResultBytes) {
    throw InputError(where + ": over 64 MiB");
  }
  refuse_nul(text, where);
  LogHandler handler(where);
  Json::sax_parse(text, &handler);
  return handler.take_shots();
}

std::string cim_number(double value) {
  const std::string text = format(value);
  return text.find_first_of(".en") == text.npos ? text + ".0" : text;
}

std::string cim_log_text(const std::vector<machine::Shot>& shots, bool spins) {
  std::string text = "[";
  for (std::size_t k = 0; k < shots.size(); ++k) {
    text += std::string(k > 0 ? ", " : "") + "{\"result\": " + std::to_string(k) +
            ", \"quboValue\": " + cim_number(shots[k].energy) +
            ", \"solutionVector\": [";
    for (std::size_t i = 0; i < shots[k].x.size(); ++i) {
      text += std::string(i > 0 ? ", " : "") + (shots[k].x[i] != 0 ? "1"
                                                : spins            ? "-1"
                                                                   : "0");
    }
    text += "]}";
  }
  return text + "]";
}

}  // namespace oa::io
