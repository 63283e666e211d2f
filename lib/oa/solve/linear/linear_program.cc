#include "oa/solve/linear/linear_program.h"

#include "oa/base/index.h"

#include <algorithm>
#include <cmath>

#include <coin/Clp_C_Interface.h>
#include <dlfcn.h>

namespace oa::solve {
namespace {

constexpr const char* kLibrary = "libClp.so.1";
constexpr int kOptimal = 0;  // Clp_status()
constexpr int kInfeasible = 1;
constexpr int kUnfinished = 3;
constexpr int kSlice = 300'000;  // iterations * rows; less than 0.1 s
constexpr int kMaxDoubled = 2;   // initial slices; later ones double in length
constexpr double kNear = 2.0;    // seconds before the limit: short slices
constexpr std::int64_t kMaxWork = 60'000'000;  // of one program: about 10 s
constexpr int kPerturbed = 50;                 // Clp_setPerturbation()

/// The functions of Clp that are used.
struct Clp {
  decltype(&Clp_newModel) new_model = nullptr;
  decltype(&Clp_deleteModel) delete_model = nullptr;
  decltype(&Clp_loadProblem) load_problem = nullptr;
  decltype(&Clp_setLogLevel) set_log_level = nullptr;
  decltype(&Clp_addRows) add_rows = nullptr;
  decltype(&Clp_deleteRows) delete_rows = nullptr;
  decltype(&Clp_chgColumnLower) set_lower = nullptr;
  decltype(&Clp_chgColumnUpper) set_upper = nullptr;
  decltype(&Clp_setMaximumIterations) set_iterations = nullptr;
  decltype(&Clp_setPerturbation) set_perturbation = nullptr;
  decltype(&Clp_setDualObjectiveLimit) set_cutoff = nullptr;
  decltype(&Clp_dual) dual = nullptr;
  decltype(&Clp_status) status = nullptr;
  decltype(&Clp_numberIterations) iterations = nullptr;
  decltype(&Clp_getNumRows) rows = nullptr;
  decltype(&Clp_getNumCols) columns = nullptr;
  decltype(&Clp_getColSolution) x = nullptr;
  decltype(&Clp_getRowPrice) price = nullptr;
  decltype(&Clp_infeasibilityRay) ray = nullptr;
  decltype(&Clp_freeRay) free_ray = nullptr;
  bool complete = true;

  Clp() {
    void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      complete = false;
      return;
    }
    const auto find = [&](auto& function, const char* name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(  // NOLINT: dlsym()
                                                                      // returns void*
          dlsym(library, name));
      complete = complete && function != nullptr;
    };
    find(new_model, "Clp_newModel");
    find(delete_model, "Clp_deleteModel");
    find(load_problem, "Clp_loadProblem");
    find(set_log_level, "Clp_setLogLevel");
    find(add_rows, "Clp_addRows");
    find(delete_rows, "Clp_deleteRows");
    find(set_lower, "Clp_chgColumnLower");
    find(set_upper, "Clp_chgColumnUpper");
    find(set_iterations, "Clp_setMaximumIterations");
    find(set_perturbation, "Clp_setPerturbation");
    find(set_cutoff, "Clp_setDualObjectiveLimit");
    find(dual, "Clp_dual");
    find(status, "Clp_status");
    find(iterations, "Clp_numberIterations");
    find(rows, "Clp_getNumRows");
    find(columns, "Clp_getNumCols");
    find(x, "Clp_getColSolution");
    find(price, "Clp_getRowPrice");
    find(ray, "Clp_infeasibilityRay");
    find(free_ray, "Clp_freeRay");
  }
};

/// Loads Clp at the first call; Clp stays loaded.
const Clp& clp() {
  static const Clp functions;
  return functions;
}

}  // namespace

class LinearProgram::Model {
 public:
  explicit Model(std::span<const double> costs) : model_(clp().new_model()) {
    double most = 0.0;
    for (const double cost : costs) {
      most = std::max(most, std::abs(cost));
    }
    // Tolerances of Clp are absolute, so costs are scaled.
    scale_ = most > 0.0 ? std::exp2(-std::ilogb(most)) : 1.0;
    std::vector<double> scaled(costs.begin(), costs.end());
    for (double& cost : scaled) {
      cost *= scale_;
    }
    const auto columns = static_cast<int>(costs.size());
    const std::vector<int> starts(costs.size() + 1);
    const std::vector<double> low(costs.size());
    const std::vector<double> high(costs.size(), 1.0);
    const int no_index = 0;
    const double no_value = 0.0;
    clp().set_log_level(model_, 0);
    clp().load_problem(model_,
                       columns,
                       0,
                       starts.data(),
                       &no_index,
                       &no_value,
                       low.data(),
                       high.data(),
                       scaled.data(),
                       &no_value,
                       &no_value);
  }
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  ~Model() { clp().delete_model(model_); }

  void add(const Rows& rows) {
    clp().add_rows(model_,
                   static_cast<int>(rows.high.size()),
                   rows.low.data(),
                   rows.high.data(),
                   rows.begins.data(),
                   rows.columns.data(),
                   rows.entries.data());
  }

  void remove(std::span<const int> rows) {
    clp().delete_rows(model_, static_cast<int>(rows.size()), rows.data());
  }

  void set_bounds(std::span<const double> low, std::span<const double> high) {
    clp().set_lower(model_, low.data());
    clp().set_upper(model_, high.data());
  }

  /// Calls Clp in slices, because its own limit counts processor time, not wall time.
  /// A slice starts with new prices and a new factorisation.
  /// With weights -1 and 1 many steps gain nothing, and equal slices could cycle.
  /// Perturbed costs prevent cycles: grids of 800 nodes take 0.1 times the steps.
  Outcome solve(const Stop& stop) {
    const int size = clp().rows(model_) + 1;
    std::int64_t work = 0;
    int doubled = 0;
    bool unfinished = true;
    while (unfinished && work < kMaxWork && !(work > 0 && stop())) {
      const bool near = stop.left_s() < kNear;
      clp().set_iterations(model_, std::max(1, kSlice / size) << (near ? 0 : doubled));
      clp().set_perturbation(model_, kPerturbed);
      clp().dual(model_, 0);
      work += std::int64_t{clp().iterations(model_)} * size;
      unfinished = clp().status(model_) == kUnfinished;
      doubled = std::min(doubled + 1, kMaxDoubled);
    }
    work_ += work;
    const int status = clp().status(model_);
    return status == kOptimal      ? Outcome::Solved
           : status == kInfeasible ? Outcome::Infeasible
                                   : Outcome::Failed;
  }

  void set_cutoff(double cutoff) { clp().set_cutoff(model_, cutoff * scale_); }

  [[nodiscard]] std::span<const double> x() const {
    return {clp().x(model_), at(clp().columns(model_))};
  }

  [[nodiscard]] std::vector<double> prices() const {
    const std::span price(clp().price(model_), at(clp().rows(model_)));
    std::vector<double> all;
    for (const double p : price) {
      all.push_back(-p / scale_);
    }
    return all;
  }

  [[nodiscard]] std::vector<double> ray() const {
    double* found = clp().ray(model_);
    if (found == nullptr) {
      return {};
    }
    std::vector<double> all(found, found + clp().rows(model_));
    clp().free_ray(model_, found);
    return all;
  }

  [[nodiscard]] std::int64_t work() const { return work_; }

 private:
  Clp_Simplex* model_;
  double scale_ = 1.0;
  std::int64_t work_ = 0;
};

bool LinearProgram::available() {
  return clp().complete;
}

LinearProgram::LinearProgram(std::span<const double> costs)
    : model_(std::make_unique<Model>(costs)) {}

LinearProgram::~LinearProgram() = default;

void LinearProgram::add(const Rows& rows) {
  model_->add(rows);
}

void LinearProgram::remove(std::span<const int> rows) {
  model_->remove(rows);
}

void LinearProgram::set_bounds(std::span<const double> low,
                               std::span<const double> high) {
  model_->set_bounds(low, high);
}

void LinearProgram::set_cutoff(double cutoff) {
  model_->set_cutoff(cutoff);
}

LinearProgram::Outcome LinearProgram::solve(const Stop& stop) {
  return model_->solve(stop);
}

std::span<const double> LinearProgram::x() const {
  return model_->x();
}

std::vector<double> LinearProgram::prices() const {
  return model_->prices();
}

std::vector<double> LinearProgram::ray() const {
  return model_->ray();
}

std::int64_t LinearProgram::work() const {
  return model_->work();
}

}  // namespace oa::solve
