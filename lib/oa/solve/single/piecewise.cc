#include "oa/solve/single/piecewise.h"

#include "oa/base/index.h"
#include "oa/qubo/pieces.h"
#include "oa/solve/method/stop.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace oa::solve {
namespace {

/// True unless energies or bounds of the whole model are reported during the search.
bool may_split(const ModelSettings& settings) {
  return settings.presolve && settings.one_best() && !settings.target &&
         !settings.improved && !settings.bounded;
}

/// Joins the results of pieces.
class Joined {
 public:
  Joined(const qubo::Model& model, ExactSum constant)
      : model_(model),
        bound_(std::move(constant)),
        x_(at(model.size())) {}

  void add(const qubo::Pieces::Piece& piece, const ModelResult& found) {
    const std::vector<std::uint8_t>& x = found.best.front().x;
    for (std::size_t k = 0; k < x.size(); ++k) {
      x_[at(piece.variables[k])] = x[k];
    }
    const bool proved = found.status == qubo::Status::ProvedOptimal;
    const bool feasible = qubo::violated(piece.model, x) < 0;
    if (proved && feasible) {
      bound_.add(qubo::exact_value(piece.model, x));  // found.bound may be rounded up
    } else if (std::isfinite(found.bound)) {
      bound_.add(found.bound);
    } else {
      unbounded_ = true;
    }
    infeasible_ = infeasible_ || (proved && !feasible);
    if (!proved && all_.status != qubo::Status::Stopped) {
      all_.status = found.status;
    }
    if (first_) {
      all_.method = found.method;
      all_.found_by = found.found_by;
      all_.status = found.status;
    } else if (all_.found_by != found.found_by) {
      all_.found_by = all_.method;
    }
    if (first_ || (proved && !feasible)) {
      all_.proved_by = found.proved_by;
    }
    all_.searched += found.searched;
    all_.penalised = all_.penalised || found.penalised;
    all_.recovered.add(found.recovered);
    first_ = false;
  }

  /// If a piece is infeasible, the whole is infeasible.
  ModelResult result() {
    const TwoDoubles value = qubo::exact_value(model_, x_).two();
    if (infeasible_) {
      all_.status = qubo::Status::ProvedOptimal;
    }
    const bool proved = all_.status == qubo::Status::ProvedOptimal;
    all_.bound = proved ? value.value : bound(value.value);
    if (!proved) {
      all_.proved_by = {};
    }
    all_.best.emplace_back(value, std::move(x_));
    return std::move(all_);
  }

 private:
  [[nodiscard]] double bound(double best) const {
    const bool max = model_.f.sense == qubo::Sense::Max;
    if (unbounded_) {
      return (max ? 1.0 : -1.0) * std::numeric_limits<double>::infinity();
    }
    if (max) {
      ExactSum negative;
      negative.subtract(bound_);
      return std::max(best, -negative.rounded_down());
    }
    return std::min(best, bound_.rounded_down());
  }

  const qubo::Model& model_;
  ModelResult all_;
  ExactSum bound_;
  std::vector<std::uint8_t> x_;
  bool infeasible_ = false;  // proved infeasible
  bool unbounded_ = false;   // some piece has no known bound
  bool first_ = true;
};

}  // namespace

ModelResult solve_by_pieces(const qubo::Model& model,
                            const ModelSettings& settings,
                            const Rng& rng,
                            const std::stop_token& stop,
                            ModelSolver& solve) {
  qubo::Pieces pieces = may_split(settings) ? qubo::pieces_of(model) : qubo::Pieces{};
  if (pieces.all.empty()) {
    return solve(model, settings, rng, stop);
  }
  const Stop end(stop, settings.solver.time_limit_s);
  Joined joined(model, std::move(pieces.constant));
  double left = model.size();
  for (std::size_t k = 0; k < pieces.all.size(); ++k) {
    const qubo::Pieces::Piece& piece = pieces.all[k];
    const auto size = static_cast<double>(piece.variables.size());
    ModelSettings mine = settings;
    if (end.limited()) {
      mine.solver.time_limit_s = end.left_s() * (size / left);
    }
    mine.initial = parts_of(settings.initial, piece.variables);
    if (!settings.known.empty()) {
      mine.known = part_of(settings.known, piece.variables);
    }
    joined.add(piece, solve(piece.model, mine, rng.fork(k), stop));
    left -= size;
  }
  return joined.result();
}

}  // namespace oa::solve
