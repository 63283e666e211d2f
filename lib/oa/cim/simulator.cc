#include "oa/cim/simulator.h"

#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/qubo/components.h"
#include "oa/solve/heuristic/heuristics.h"
#include "oa/solve/method/result.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <numeric>
#include <span>
#include <utility>

namespace oa::cim {
namespace {

/// The QUBO of an Ising matrix with its shared spin at +1.  Cells are 2 M_ik.
machine::TaskMatrix without_shared_spin(const machine::TaskMatrix& ising) {
  const int n = ising.n - 1;
  machine::TaskMatrix q;
  q.n = n;
  std::vector<float> sums(at(n));
  for (int i = 0; i < n; ++i) {
    for (int k = i + 1; k < n; ++k) {
      sums[at(i)] += ising.row(i)[k - i];
      sums[at(k)] += ising.row(i)[k - i];
    }
  }
  for (int i = 0; i < n; ++i) {
    const float* row = ising.row(i) - i;
    q.cells.push_back(2.0F * (sums[at(i)] - row[n]));
    for (int k = i + 1; k < n; ++k) {
      q.cells.push_back(-4.0F * row[k]);
    }
  }
  return q;
}

/// Returns -s'Ms.
double ising_energy(const machine::TaskMatrix& ising, const machine::Bits& x) {
  double sum = 0.0;
  for (int i = 0; i < ising.n; ++i) {
    for (int k = i + 1; k < ising.n; ++k) {
      const double cell = ising.row(i)[k - i];
      sum -= x[at(i)] == x[at(k)] ? cell : -cell;
    }
  }
  return sum;
}

/// Connected components of the couplings.
std::vector<std::vector<int>> parts_of(const qubo::Matrix& j) {
  auto parts =
      qubo::components(std::vector<bool>(at(j.size())), [&](int i, const auto& visit) {
        for (int k = 0; k < j.size(); ++k) {
          if (j(i, k) != 0.0) {
            visit(k);
          }
        }
        return true;
      });
  for (std::vector<int>& part : parts) {
    std::ranges::sort(part);
  }
  return parts;
}

/// Adds neighbours by single flips, lowest first, until there are `count` solutions.
/// The simulator finds few distinct solutions,
/// but the machine's noise makes all 10 of a run distinct.
std::vector<solve::Solution> with_neighbours(const qubo::Matrix& j,
                                             std::span<const double> h,
                                             const std::vector<solve::Solution>& found,
                                             int count) {
  solve::Pool pool(count);
  for (const solve::Solution& s : found) {
    pool.insert(s.value(), s.x);
  }
  for (std::size_t known = 0; !pool.full() && known != pool.best().size();) {
    known = pool.best().size();
    for (const solve::Solution& s : std::vector(pool.best())) {
      machine::Bits x = s.x;
      for (std::uint8_t& value : x) {
        value = 1 - value;
        pool.insert(qubo::energy(j, h, x), x);
        value = 1 - value;
      }
    }
  }
  return pool.take_best();
}

/// Simulates one component: returns the lowest solutions for variables `part`.
std::vector<solve::Solution> run(const machine::Reduced& problem,
                                 const std::vector<int>& part,
                                 const SimulatorSettings& settings,
                                 const Rng& rng) {
  const qubo::Matrix j = problem.j.restricted(part);
  std::vector<double> h;
  for (const int i : part) {
    h.push_back(problem.h[at(i)]);
  }
  solve::Settings solver;
  solver.top = settings.shots;
  solver.reads = settings.reads;
  const solve::Result found =
      solve::make_controlled_machine(j, solver, {})->solve(h, rng, {});
  return with_neighbours(j, h, found.best, settings.shots);
}

/// Formats `seconds` after 1 June 2025: "2025-06-16 14:27:43".
std::string time_text(std::int64_t seconds) {
  using namespace std::chrono;
  const sys_seconds time =
      sys_days(year(2025) / June / 1) + std::chrono::seconds(seconds);
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(time - day);
  const auto two = [](std::int64_t v) {
    return std::string(v < 10 ? "0" : "") + format(v);
  };
  return format(static_cast<int>(date.year())) + "-" +
         two(static_cast<unsigned>(date.month())) + "-" +
         two(static_cast<unsigned>(date.day())) + " " + two(clock.hours().count()) +
         ":" + two(clock.minutes().count()) + ":" + two(clock.seconds().count());
}

/// True if a name ends in "<number>-<number>", as names of uploads do.
bool ends_with_range(std::string_view name) {
  const auto last = name.find_last_not_of("0123456789");
  if (last == name.npos || last + 1 == name.size() || name[last] != '-') {
    return false;
  }
  return last > 0 && name[last - 1] >= '0' && name[last - 1] <= '9';
}

/// The report of a simulated run.
machine::Report simulated_report(const UploadedTask& task,
                                 const std::string& upload,
                                 int place,
                                 Rng rng) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz234567";
  machine::Report report;
  report.status = "成功";
  const std::int64_t begin = 36'000 + place / 4;
  report.created = time_text(begin);
  report.finished = time_text(begin + 60 + rng.below(1'200));
  report.name = result_name(upload, place);
  for (int i = 0; i < 32; ++i) {
    report.id += kLetters[rng.below(static_cast<std::uint32_t>(kLetters.size()))];
  }
  report.machine = "oa-cim-sim";
  report.file = format(task.number) + ".csv";
  report.run_ms = static_cast<double>(100 + rng.below(20'000)) / 1e3;
  return report;
}

}  // namespace

std::vector<Fault> draw_faults(const Faults& faults, int tasks, Rng rng) {
  std::vector<int> order(at(tasks));
  std::iota(order.begin(), order.end(), 0);
  rng.shuffle(std::span(order));
  std::vector<Fault> drawn(at(tasks), Fault::None);
  auto next = order.begin();
  const std::array<std::pair<Fault, int>, 4> counts{
      {{Fault::Drop, faults.drop},
       {Fault::Duplicate, faults.duplicate},
       {Fault::Corrupt, faults.corrupt},
       {Fault::Fail, faults.fail}}};
  for (const auto& [fault, count] : counts) {
    for (int i = 0; i < count && next != order.end(); ++i) {
      drawn[at(*next++)] = fault;
    }
  }
  return drawn;
}

std::vector<machine::Shot> simulate_machine(const UploadedTask& task,
                                            const SimulatorSettings& settings,
                                            const Rng& rng) {
  const machine::Reduced problem =
      machine::reduced(settings.ising ? without_shared_spin(task.q) : task.q, 0);
  std::vector<std::vector<int>> parts = parts_of(problem.j);
  solve::Pool whole(settings.shots);
  whole.insert(0.0, machine::Bits(at(problem.j.size())));
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto own = run(problem, parts[p], settings, rng.fork(p));
    solve::Pool combined(settings.shots);
    for (const solve::Solution& before : whole.best()) {
      for (const solve::Solution& s : own) {
        machine::Bits x = before.x;
        for (std::size_t i = 0; i < s.x.size(); ++i) {
          x[at(parts[p][i])] = s.x[i];
        }
        combined.insert(before.energy + s.energy, x);
      }
    }
    whole = std::move(combined);
  }
  std::vector<machine::Shot> shots;
  for (const solve::Solution& s : whole.best()) {
    machine::Shot& shot = shots.emplace_back(machine::Shot{s.energy, s.x});
    if (settings.ising) {
      shot.x.push_back(1);
      shot.energy = ising_energy(task.q, shot.x);
    }
  }
  return shots;
}

std::vector<SimulatedResult> simulated_results(const UploadedTask& task,
                                               const SimulatorSettings& settings,
                                               const std::string& upload,
                                               int place,
                                               Fault fault,
                                               const Rng& rng) {
  if (fault == Fault::Drop) {
    return {};
  }
  machine::Report report = simulated_report(task, upload, place, rng.fork(0));
  const std::string name = report.name;
  if (fault == Fault::Fail) {
    report.status = "失败";
    report.run_ms.reset();
    return {{name, std::move(report), {}, false, false}};
  }
  std::vector<SimulatedResult> results{
      {name, std::move(report), simulate_machine(task, settings, rng.fork(1))}};
  if (fault == Fault::Corrupt) {
    constexpr double kWrongBy = 4.0;  // energies are multiples of it
    results.front().shots.back().energy += kWrongBy;
    results.front().broken_report = true;
  }
  if (fault == Fault::Duplicate) {
    std::vector<machine::Shot> shots = simulate_machine(task, settings, rng.fork(2));
    if (shots.size() > 1) {
      shots.pop_back();  // makes both runs differ
    }
    results.push_back({name + " (1)",
                       simulated_report(task, upload, place, rng.fork(3)),
                       std::move(shots)});
  }
  return results;
}

std::string result_name(const std::string& upload, int place) {
  return upload + "_" + (place < 10 ? "0" : "") + format(place);
}

std::string upload_name(std::string_view archive,
                        const std::vector<UploadedTask>& tasks) {
  archive.remove_prefix(archive.find_last_of('/') + 1);
  std::string name(archive.substr(0, archive.find('.')));
  if (!ends_with_range(name) && !tasks.empty()) {
    name += format(tasks.front().number) + "-" + format(tasks.back().number);
  }
  return name;
}

}  // namespace oa::cim
