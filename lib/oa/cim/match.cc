#include "oa/cim/match.h"

#include "oa/base/number.h"

#include <cassert>
#include <cmath>

namespace oa::cim {
namespace {

/// Flips x so that the shared spin is +1, and drops that spin.
machine::Bits relative(machine::Bits x) {
  const bool flip = x.back() == 0;
  x.pop_back();
  for (std::uint8_t& value : x) {
    value = flip ? 1 - value : value;
  }
  return x;
}

/// True if task numbers increase with places.
bool rises(std::vector<std::pair<std::int64_t, std::size_t>> places) {
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return std::ranges::adjacent_find(places, [](const auto& a, const auto& b) {
           return a.first >= b.first || a.second >= b.second;
         }) == places.end();
}

}  // namespace

const machine::TaskMatrix& Matrices::get(const machine::SubmittedBlock& block) {
  constexpr std::size_t kMaxCells = std::size_t{4} << 20;
  const auto found = kept_.find(block.place);
  if (found != kept_.end()) {
    return found->second;
  }
  machine::TaskMatrix q = submission_.store->matrix(block);
  if (cells_ + q.cells.size() > kMaxCells) {
    kept_.clear();
    cells_ = 0;
  }
  cells_ += q.cells.size();
  return kept_.emplace(block.place, std::move(q)).first->second;
}

double Matrices::energy(const machine::Task& task,
                        std::span<const std::uint8_t> x,
                        bool keep) {
  if (!keep) {
    return machine::task_energy(submission_, task, x, ones_);
  }
  double sum = task.offset;
  for (const machine::SubmittedBlock& block : submission_.blocks_of(task)) {
    sum += machine::block_energy(get(block), block.first, x, ones_);
  }
  return sum;
}

bool TaskResult::awaits(const machine::Run* report) const {
  return report == nullptr
             ? log_files < std::ssize(reports)
             : std::ssize(reports) < log_files ||
                   std::ranges::any_of(reports, [&](const machine::Run& known) {
                     return known.same_run(*report);
                   });
}

Matcher::Matcher(const machine::Submission& submission)
    : submission_(submission),
      results_(submission.tasks.size()),
      failed_(submission.tasks.size()),
      matrices_(submission) {
  for (std::size_t t = 0; t < submission.tasks.size(); ++t) {
    by_size_[submission.tasks[t].n].push_back(t);
  }
}

/// The task that a result names.  A name in a report takes precedence over a file name.
struct Matcher::Claim {
  machine::NamedTask named;
  std::size_t guess = 0;    ///< the task, if the upload is complete
  std::string_view upload;  ///< name of the upload, without the place
};

std::optional<Matcher::Claim> Matcher::named(const machine::Returned& returned) const {
  std::vector<std::string_view> names;
  if (returned.report) {
    names = {returned.report->file, returned.report->name};
  }
  names.emplace_back(returned.path);
  for (const std::string_view name : names) {
    const auto named = machine::task_named(name, submission_.name);
    if (!named) {
      continue;
    }
    // Tasks that were not submitted occupy no place.
    const auto& tasks = submission_.tasks;
    auto t = std::ranges::lower_bound(tasks, named->number, {}, &machine::Task::number);
    if (named->place > 0) {
      t += std::min<std::ptrdiff_t>(named->place - 1, tasks.end() - t);
    }
    if (t != tasks.end() && (named->place > 0 || t->number == named->number)) {
      return Claim{*named,
                   static_cast<std::size_t>(t - tasks.begin()),
                   name.substr(0, name.rfind('_'))};
    }
  }
  return std::nullopt;
}

/// True if tasks a and b have equal matrices.
bool Matcher::same(std::size_t a, std::size_t b) const {
  const machine::Task& one = submission_.tasks[a];
  const machine::Task& other = submission_.tasks[b];
  const auto equal = [this](const machine::SubmittedBlock& x,
                            const machine::SubmittedBlock& y) {
    return submission_.store->matrix(x) == submission_.store->matrix(y);
  };
  return a == b ||
         (one.checksum == other.checksum &&
          std::ranges::equal(
              submission_.blocks_of(one), submission_.blocks_of(other), equal));
}

/// True if the name may mean task t.  If an upload lacks tasks of its range,
/// places belong to later tasks than their number tells.
bool Matcher::possible(const Claim& claim, std::size_t t) const {
  if (t == claim.guess || claim.named.place < 2) {
    return t == claim.guess;
  }
  return t > claim.guess && submission_.tasks[t].number <= claim.named.last;
}

/// True if each energy fits its x in the task's matrix.  If `keep`, caches the matrix.
bool Matcher::fits(std::size_t t, std::span<const machine::Shot> shots, bool keep) {
  const machine::Task& task = submission_.tasks[t];
  return std::ranges::all_of(shots, [&](const machine::Shot& shot) {
    if (std::ssize(shot.x) != task.n) {
      return false;
    }
    const double energy = matrices_.energy(task, shot.x, keep);
    // Sums of integers are exact; other energies may be rounded.
    const double slack = task.whole ? 0.0 : 1e-9 * std::max(1.0, std::abs(energy));
    return std::abs(energy - shot.energy) <= slack;
  });
}

/// True if another matrix gives equal energies.
/// Tries only some of many tasks of this size: nearly always the first one differs.
bool Matcher::fits_another(std::size_t t, const Shots& shots) {
  constexpr std::size_t kMaxTried = 64;
  const std::vector<std::size_t>& others = by_size_.at(submission_.tasks[t].n);
  const std::size_t step = (others.size() + kMaxTried - 1) / kMaxTried;
  for (std::size_t i = 0; i < others.size(); i += step) {
    const std::size_t other = others[i];
    if (other != t && fits(other, shots) && !same(other, t)) {
      return true;
    }
  }
  return false;
}

/// True if task t has another result,
/// so that this result may go to a task with an equal matrix.
bool Matcher::taken(std::size_t t,
                    const machine::PackedShots& shots,
                    const machine::Run* report) const {
  const std::vector<TaskResult>& results = results_[t];
  return !results.empty() && std::ranges::none_of(results, [&](const TaskResult& r) {
    return !r.array() && r.awaits(report) && r.shots == shots;
  });
}

/// The task to which a result belongs.
struct Matcher::Place {
  std::optional<std::size_t> task;
  bool named = false;   ///< the energies fit the task named
  bool proved = false;  ///< the energies fit no other matrix
};

Matcher::Place Matcher::place(const Shots& shots,
                              const std::optional<Claim>& claim,
                              const machine::Run* report) {
  Place place;
  const auto candidates = by_size_.find(static_cast<int>(shots.front().x.size()));
  if (candidates == by_size_.end()) {
    return place;
  }
  const std::vector<machine::Task>& tasks = submission_.tasks;
  if (claim && tasks[claim->guess].n == candidates->first &&
      fits(claim->guess, shots)) {
    place = {claim->guess, true, !fits_another(claim->guess, shots)};
  } else {
    for (const std::size_t t : candidates->second) {
      // The first solution excludes nearly every other task.
      const auto may = [&](const machine::Shot& shot) {
        return machine::may_have(tasks[t], shot.energy, shot.x);
      };
      if (!std::ranges::all_of(shots, may) ||
          !fits(t, std::span(shots).first(1), false) || !fits(t, shots)) {
        continue;
      }
      place.proved = !place.task || same(t, *place.task);
      if (!place.proved) {
        break;
      }
      place.task = place.task.value_or(t);
    }
  }
  place.proved = place.proved && says_something(shots);
  if (place.proved) {
    place.task = choose_equal(*place.task, shots, claim, report);
  }
  return place;
}

/// True if energies identify a matrix. x = 0 does not: its energy is 0 in every QUBO.
bool Matcher::says_something(const Shots& shots) const {
  return submission_.tasks[0].ising ||
         std::ranges::any_of(shots, [](const machine::Shot& shot) {
           return std::ranges::find(shot.x, 1) != shot.x.end();
         });
}

/// Chooses among tasks with the same matrix as t:
/// prefers a task without a result, then a task that the name may mean.
std::size_t Matcher::choose_equal(std::size_t t,
                                  const Shots& shots,
                                  const std::optional<Claim>& claim,
                                  const machine::Run* report) const {
  const machine::PackedShots packed(shots);
  const auto rank = [&](std::size_t task) {
    return 2 * (taken(task, packed, report) ? 1 : 0) +
           (claim && !possible(*claim, task) ? 1 : 0);
  };
  std::size_t best = t;
  for (const std::size_t other : by_size_.at(submission_.tasks[t].n)) {
    if (rank(best) == 0) {
      break;
    }
    if (rank(other) < rank(best) && same(other, t)) {
      best = other;
    }
  }
  return best;
}

/// Adds the result to its task.
Match Matcher::assign(const Place& place,
                      const Shots& shots,
                      std::optional<machine::Run> report) {
  const std::size_t t = *place.task;
  std::vector<TaskResult>& results = results_[t];
  Match match;
  match.task = submission_.tasks[t].number;
  match.kind = results.empty() ? Match::Kind::New : Match::Kind::More;
  machine::PackedShots packed(shots);
  auto result = std::ranges::find_if(results, [&](const TaskResult& known) {
    return !known.array() && known.shots == packed;
  });
  if (result == results.end()) {
    result = results.insert(result, TaskResult{});
    result->shots = std::move(packed);
    result->proved = place.proved;
  }
  if (!report) {
    ++result->log_files;
    return match;
  }
  ++result->report_files;
  if (std::ranges::none_of(result->reports, [&](const machine::Run& known) {
        return known.same_run(*report);
      })) {
    result->reports.push_back(*std::move(report));
  }
  return match;
}

/// Builds a refusal; it names a wrong energy if the task is known.
Match Matcher::refuted(const Shots& shots, const std::optional<Claim>& claim) {
  Match match;
  const int n = static_cast<int>(shots.front().x.size());
  const auto candidates = by_size_.find(n);
  const bool ising = !submission_.tasks.empty() && submission_.tasks[0].ising;
  const std::string size = ising    ? format(n + 1) + " spins"
                           : n == 1 ? "1 variable"
                                    : format(n) + " variables";
  if (candidates == by_size_.end()) {
    match.remark = "its solutions have " + size +
                   ", and no task has as many (packed with other options?)";
    return match;
  }
  const bool meant = claim && submission_.tasks[claim->guess].n == n;
  if (!meant && candidates->second.size() > 1) {
    match.remark =
        "its energies fit no task of " + size + " (packed with other options?)";
    return match;
  }
  const std::size_t t = meant ? claim->guess : candidates->second.front();
  const auto wrong = std::ranges::find_if(
      shots, [&](const machine::Shot& shot) { return !fits(t, std::span(&shot, 1)); });
  assert(wrong != shots.end());  // otherwise the task would fit
  const bool some_fit = std::ranges::any_of(shots, [&](const machine::Shot& shot) {
    return says_something({shot}) && fits(t, std::span(&shot, 1));
  });
  const machine::Task& task = submission_.tasks[t];
  match.remark = "result " + format(wrong - shots.begin()) + " states " +
                 format(wrong->energy) + ", but its solution has " +
                 format(matrices_.energy(task, wrong->x, true)) + " in task " +
                 format(task.number);
  if (!some_fit) {
    match.remark += " (packed with other options?)";
  }
  return match;
}

Match Matcher::failure(const machine::Returned& returned) {
  const auto claim = named(returned);
  if (!claim) {
    return {Match::Kind::Refuted, -1, "a report of a failure without a task"};
  }
  failed_[claim->guess] = true;
  return {Match::Kind::Failed,
          submission_.tasks[claim->guess].number,
          "task " + format(submission_.tasks[claim->guess].number) +
              " failed (status " + returned.report->status + ")"};
}

/// Lists tasks with this number of spins, with or without the shared spin.
std::vector<std::size_t> Matcher::tasks_of(std::size_t spins) const {
  std::vector<std::size_t> all;
  const auto width = static_cast<int>(spins);
  for (const int n : {width, width - 1}) {
    if (const auto found = by_size_.find(n); found != by_size_.end()) {
      all.insert(all.end(), found->second.begin(), found->second.end());
    }
  }
  return all;
}

Match Matcher::add_rows(const machine::Returned& returned) {
  const std::size_t width = returned.rows.front().size();
  const std::string size = format(static_cast<std::int64_t>(width)) + " spins";
  const std::vector<std::size_t> fitting = tasks_of(width);
  const auto claim = named(returned);
  Match match;
  if (fitting.empty()) {
    match.remark = "its rows have " + size +
                   ", and no task has as many (packed with other options?)";
    return match;
  }
  std::size_t t = fitting.front();
  if (claim) {
    t = claim->guess;
    if (std::ranges::find(fitting, t) == fitting.end()) {
      const int n = submission_.tasks[t].n;
      match.remark = "its rows have " + size + ", but task " +
                     format(submission_.tasks[t].number) +
                     ", which its name means, has " + format(n) + ", and " +
                     format(n + 1) + " with the shared one";
      return match;
    }
  } else if (fitting.size() > 1) {
    match.kind = Match::Kind::Ambiguous;
    match.remark = "its rows have " + size + ", as " + format(std::ssize(fitting)) +
                   " tasks do, and its name does not tell which";
    return match;
  }
  match.task = submission_.tasks[t].number;
  match.kind = results_[t].empty() ? Match::Kind::New : Match::Kind::More;
  assign_rows(t, returned.rows);
  return match;
}

/// Counts equal rows of an array, lowest energy first.
void Matcher::assign_rows(std::size_t t, std::vector<machine::Bits> rows) {
  const machine::Task& task = submission_.tasks[t];
  std::map<machine::Bits, std::int32_t> counts;
  for (machine::Bits& row : rows) {
    ++counts[std::ssize(row) > task.n ? relative(std::move(row)) : std::move(row)];
  }
  std::vector<std::pair<machine::Shot, std::int32_t>> all;
  for (const auto& [x, times] : counts) {
    all.push_back({{matrices_.energy(task, x, true), x}, times});
  }
  std::ranges::stable_sort(all, {}, [](const auto& s) { return s.first.energy; });
  Shots shots;
  TaskResult added;
  for (auto& [shot, times] : all) {
    shots.push_back(std::move(shot));
    added.times.push_back(times);
  }
  added.shots = machine::PackedShots(shots);
  std::vector<TaskResult>& results = results_[t];
  auto result = std::ranges::find_if(results, [&](const TaskResult& known) {
    return known.times == added.times && known.shots == added.shots;
  });
  if (result == results.end()) {
    result = results.insert(result, std::move(added));
  }
  ++result->log_files;
}

Match Matcher::add_result(machine::Returned returned) {
  if (!returned.rows.empty()) {
    return add_rows(returned);
  }
  if (returned.report && !returned.report->succeeded()) {
    return failure(returned);
  }
  Shots shots = std::move(returned.shots);
  if (!submission_.tasks.empty() && submission_.tasks[0].ising) {
    for (machine::Shot& shot : shots) {
      shot.x = relative(std::move(shot.x));
    }
  }
  const auto claim = named(returned);
  std::optional<machine::Run> report;
  if (returned.report) {
    report.emplace(*returned.report);
  }
  const Place found = place(shots, claim, report ? &*report : nullptr);
  if (!found.task) {
    return refuted(shots, claim);
  }
  if (!found.proved && !found.named) {
    return {Match::Kind::Ambiguous,
            -1,
            "its energies fit several tasks, and its name does not tell which"};
  }
  if (claim) {
    note_name(*claim, *found.task, returned.path);
  }
  Match match = assign(found, shots, std::move(report));
  if (!found.proved) {
    match.remark =
        "its energies fit several tasks, its name is of task " + format(match.task);
  }
  return match;
}

std::int64_t Matcher::energies_verified() const {
  std::int64_t energies = 0;
  for (const std::vector<TaskResult>& results : results_) {
    for (const TaskResult& result : results) {
      energies += result.array() ? 0 : result.shots.size() * result.runs();
    }
  }
  return energies;
}

void Matcher::note_name(const Claim& claim, std::size_t task, const std::string& path) {
  const bool wrong = !same(claim.guess, task);
  const std::string upload(claim.named.place > 0 ? claim.upload : "");
  if (!upload.empty()) {
    uploads_[upload].emplace_back(claim.named.place, wrong ? task : claim.guess);
  }
  if (wrong) {
    doubts_.push_back(
        {path, possible(claim, task) ? upload : std::string(), claim.guess, task});
  }
}

std::vector<WrongName> Matcher::wrong_names() const {
  std::map<std::string, bool> part;  // uploads whose task numbers increase with places
  for (const auto& [upload, places] : uploads_) {
    part[upload] = rises(places);
  }
  std::vector<WrongName> wrong;
  for (const Doubt& doubt : doubts_) {
    if (doubt.upload.empty() || !part[doubt.upload]) {
      wrong.push_back({doubt.path,
                       submission_.tasks[doubt.named].number,
                       submission_.tasks[doubt.proved].number});
    }
  }
  return wrong;
}

}  // namespace oa::cim
