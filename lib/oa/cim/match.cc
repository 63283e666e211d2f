#include "oa/cim/match.h"

#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace oa::cim {
namespace {

/// A solution of an Ising task as one of its variables: relative to the shared spin.
Bits relative(Bits x) {
  const bool flip = x.back() == 0;
  x.pop_back();
  for (std::uint8_t& value : x) {
    value = flip ? 1 - value : value;
  }
  return x;
}

bool equal(const Task& a, const Task& b) {
  return std::ranges::equal(
      a.blocks, b.blocks, [](const SubmittedQuery* x, const SubmittedQuery* y) {
        return x->q == y->q;
      });
}

}  // namespace

Matcher::Matcher(const Submission& submission)
    : submission_(submission),
      results_(submission.tasks.size()),
      failed_(submission.tasks.size()) {
  for (std::size_t t = 0; t < submission.tasks.size(); ++t) {
    by_size_[submission.tasks[t].n].push_back(t);
  }
}

/// The task that the result's names speak of, the report's own first.
std::optional<std::size_t> Matcher::named(const Returned& returned) const {
  std::vector<std::string_view> names;
  if (returned.report) {
    names = {returned.report->file, returned.report->name};
  }
  names.emplace_back(returned.path);
  for (const std::string_view name : names) {
    const auto said = task_named(name, submission_.name);
    if (!said) {
      continue;
    }
    // Numbers of problems that were not submitted are missing in an upload.
    const auto& tasks = submission_.tasks;
    auto t = std::ranges::lower_bound(tasks, said->number, {}, &Task::number);
    if (said->place > 0 && said->place <= tasks.end() - t) {
      t += said->place - 1;
    }
    if (t != tasks.end() && (said->place > 0 || t->number == said->number)) {
      return static_cast<std::size_t>(t - tasks.begin());
    }
  }
  return std::nullopt;
}

/// Whether all energies are those of the task's matrix.
bool Matcher::fits(std::size_t t,
                   const std::vector<Shot>& shots,
                   std::vector<Shot>& fitted) {
  const Task& task = submission_.tasks[t];
  const auto length = static_cast<std::size_t>(task.n + (task.ising ? 1 : 0));
  fitted.clear();
  for (const Shot& shot : shots) {
    if (shot.x.size() != length) {
      return false;
    }
    Shot& own = fitted.emplace_back(shot);
    if (task.ising) {
      own.x = relative(std::move(own.x));
    }
    // Our matrices are whole numbers: exact.  Others may print rounded energies.
    const double energy = task_energy(task, own.x, ones_);
    if (!(std::abs(energy - own.energy) <= 1e-9 * std::max(1.0, std::abs(energy)))) {
      return false;
    }
  }
  return true;
}

/// Gives the result to task t, which it fits.
Match Matcher::take(std::size_t t, const Returned& returned, std::vector<Shot> fitted) {
  std::vector<TaskResult>& results = results_[t];
  const std::int64_t number = submission_.tasks[t].number;
  const bool is_report = returned.report.has_value();
  for (TaskResult& result : results) {
    const bool other_half = is_report ? !result.report : !result.logged;
    if (other_half && result.shots == fitted) {
      if (is_report) {
        result.report = returned.report;
      } else {
        result.logged = true;
      }
      return {Match::Kind::Same, number, {}};
    }
  }
  // The same file twice proves nothing twice.
  if (std::ranges::find(results, fitted, &TaskResult::shots) != results.end()) {
    return {Match::Kind::Duplicate, number, {}};
  }
  const bool first = results.empty();
  energies_ += std::ssize(fitted);
  results.push_back({std::move(fitted), returned.report, !is_report});
  return {first ? Match::Kind::New : Match::Kind::Duplicate, number, {}};
}

Match Matcher::failure(const Returned& returned) {
  const auto t = named(returned);
  if (!t) {
    return {Match::Kind::Refuted, -1, "it failed, and names no task"};
  }
  failed_[*t] = true;
  return {Match::Kind::Failed,
          submission_.tasks[*t].number,
          "status " + returned.report->status};
}

Match Matcher::add(Returned returned) {
  if (returned.report && !returned.report->succeeded()) {
    return failure(returned);
  }
  std::vector<Shot> fitted;
  const auto name = named(returned);
  std::optional<std::size_t> found;
  if (name && fits(*name, returned.shots, fitted)) {
    found = name;
  }
  const int shared = !submission_.tasks.empty() && submission_.tasks[0].ising ? 1 : 0;
  const auto candidates =
      by_size_.find(static_cast<int>(returned.shots.front().x.size()) - shared);
  // A task that has its result already may share it with an equal one that has none.
  const auto taken = [&](std::size_t t) {
    const auto& results = results_[t];
    return !results.empty() && !std::ranges::any_of(results, [&](const TaskResult& r) {
      return (returned.report ? !r.report : !r.logged) && r.shots == fitted;
    });
  };
  if (candidates != by_size_.end() && (!found || taken(*found))) {
    for (const std::size_t t : candidates->second) {
      const bool possible =
          found ? t != *found && equal(submission_.tasks[t], submission_.tasks[*found])
                : t != name && fits(t, returned.shots, fitted);
      if (possible) {
        const bool better = !found || !taken(t);
        found = better ? t : *found;
        if (!taken(*found)) {
          break;
        }
      }
    }
  }
  if (!found) {
    return {Match::Kind::Refuted, -1, "its energies are those of no task"};
  }
  const bool renamed = name && *name != *found &&
                       !equal(submission_.tasks[*name], submission_.tasks[*found]);
  Match match = take(*found, returned, std::move(fitted));
  if (renamed) {
    match.remark = "its name says task " + format(submission_.tasks[*name].number) +
                   ", its energies prove task " + format(match.task);
  }
  return match;
}

}  // namespace oa::cim
