#include "app/pose/array_problems.h"

#include "app/processor.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/base/parallel.h"
#include "oa/encode/known_sum.h"
#include "oa/io/stream/problem_io.h"
#include "oa/io/tensor/picture_file.h"
#include "oa/qubo/levels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace oa::app {
namespace {

constexpr std::string_view kSpin = "spin";

/// The extents of one matrix, or of several equal matrices, in an array.
struct Extents {
  std::int64_t count = 1;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  bool several = false;
};

Extents extents_of(const io::NumberArray& array, const char* rows, const char* all) {
  const io::Shape& s = array.shape;
  const bool several = s.size() == 3;
  if (s.size() != 2 && !several) {
    throw InputError(array.name + ": an array of shape " + io::to_string(s) +
                     " (expected " + rows + " or " + all + ")");
  }
  const Extents e{several ? s[0] : 1, s[s.size() - 2], s.back(), several};
  if (e.count < 1 || e.rows < 1 || e.cols < 1) {
    throw InputError(array.name + ": the shape " + io::to_string(s) +
                     " has no numbers");
  }
  return e;
}

/// The number of pairs of V and queries.
std::int64_t pairs_of(const io::NumberArray& values,
                      const Extents& v,
                      const io::NumberArray& queries,
                      const Extents& q) {
  if (v.several && q.several && v.count != q.count) {
    throw InputError(queries.name + ": " + format(q.count) +
                     " sets of queries (expected " + format(v.count) +
                     ", as there are matrices in " + values.name + ")");
  }
  if (v.cols != q.cols) {
    throw InputError(queries.name + ": queries of " + format(q.cols) +
                     " numbers (expected " + format(v.cols) + ", as the values of " +
                     values.name + ")");
  }
  return std::max(v.count, q.count);
}

int limited(std::int64_t number, int most, const std::string& name, const char* noun) {
  if (number > most) {
    throw InputError(name + ": " + format_grouped(number) + " " + noun +
                     " (expected at most " + format_grouped(most) + ")");
  }
  return static_cast<int>(number);
}

/// Returns matrix k of an array, or its only matrix.
std::span<const double> matrix(const std::vector<double>& numbers,
                               std::int64_t count,
                               std::int64_t k) {
  const std::size_t size = numbers.size() / at(count);
  return std::span(numbers).subspan(count > 1 ? at(k) * size : 0, size);
}

std::int64_t matrices(const io::NumberArray& array) {
  return array.shape.size() == 3 ? array.shape.front() : 1;
}

void append(std::span<const double> row, double factor, std::vector<double>& to) {
  for (const double number : row) {
    to.push_back(factor * number);
  }
}

/// The alphabet of symbols: real and imaginary parts have the same levels.
qubo::Alphabet alphabet_of(const std::string& kind,
                           const std::optional<std::int64_t>& given,
                           bool complex) {
  const bool spin = kind == kSpin;
  const bool levels = kind == field_text(Coefficients::Levels);
  if (!spin && !levels && kind != field_text(Coefficients::Binary)) {
    throw UsageError("coefficients",
                     " " + kind + " is for models (expected binary, spin or levels)");
  }
  if (levels && !given) {
    throw UsageError("coefficients",
                     " levels needs levels (2 to " + format(kMaxLevels) + ")");
  }
  if (given && !levels && !spin) {
    throw UsageError("levels", " needs coefficients levels or spin");
  }
  const int count = static_cast<int>(given.value_or(2));
  const bool symbols = complex && !(kind == field_text(Coefficients::Binary));
  if (!spin && !symbols) {
    return {0.0, 1.0, count, false};
  }
  if (count % 2 != 0) {
    throw UsageError("levels",
                     ": " + format(count) +
                         " (expected an even number: the levels of spins and of "
                         "complex symbols are the odd numbers around 0)");
  }
  return {1.0 - count, count - 1.0, count, symbols};
}

void check_finite(const std::vector<float>& numbers,
                  const std::string& name,
                  std::int64_t k) {
  if (!std::ranges::all_of(numbers, [](float v) { return std::isfinite(v); })) {
    throw InputError(name + ": problem " + format(k) +
                     " has numbers beyond single precision (expected smaller values)");
  }
}

/// True if single precision changes energies about as much as the closest pair of
/// coefficients' values differ.
bool is_coarse(const qubo::Problem& p) {
  constexpr double kHalfUlp = 1.0 / (1 << 24);
  constexpr double kMargin = 4.0;
  double nearest = std::numeric_limits<double>::infinity();
  const auto offer = [&](double distance) {
    nearest = distance > 0.0 ? std::min(nearest, distance) : nearest;
  };
  double squares = 0.0;
  for (int a = 0; a < p.m; ++a) {
    const float* row = p.j.data() + at(a) * at(p.m);
    const double own = row[a];
    offer(0.5 * own);
    squares += 0.25 * own * own;
    for (int b = 0; b < a; ++b) {
      const double weight = std::abs(row[b]);
      offer(0.5 * (own + double{p.j[at(b) * at(p.m) + at(b)]}) - weight);
      squares += weight * weight;
    }
  }
  double largest = 0.0;
  for (int i = 0; i < p.n; ++i) {
    double fields = 0.0;
    for (const float weight : p.query(i)) {
      fields += double{weight} * double{weight};
    }
    largest = std::max(largest, fields);
  }
  const double steps = p.steps.empty() ? 1.0 : double{p.steps.front()};
  return kMargin * kHalfUlp * std::sqrt(squares + largest) * steps * steps > nearest;
}

}  // namespace

ArrayProblems::ArrayProblems(ArrayOptions options,
                             ImageOptions images,
                             LevelOptions levels)
    : ArrayProblems{io::read_number_array(options.values),
                    io::read_number_array(options.queries),
                    options,
                    std::move(images),
                    std::move(levels)} {}

ArrayProblems::ArrayProblems(io::NumberArray values,
                             io::NumberArray queries,
                             ArrayOptions options,
                             ImageOptions images,
                             LevelOptions levels)
    : options_(std::move(options)),
      images_(std::move(images)),
      levels_(std::move(levels)),
      values_(std::move(values)),
      queries_(std::move(queries)),
      kind_(images_.coefficients.empty() ? field_text(Coefficients::Binary)
                                         : images_.coefficients) {
  (void)parse_field(levels_.encoding, encoding_);
  images_.images = options_.queries;
  const Extents v = extents_of(values_, "(m,d)", "(b,m,d)");
  const Extents q = extents_of(queries_, "(n,d)", "(b,n,d)");
  complex_ = values_.complex() || queries_.complex();
  alphabet_ = alphabet_of(kind_, images_.levels, complex_ && !options_.real);
  if (options_.lambda != 0.0 && alphabet_.lowest != 0.0) {
    throw UsageError("lambda",
                     " is for coefficients from 0 to 1 (these take the values " +
                         alphabet_.text() + ")");
  }
  count_ = pairs_of(values_, v, queries_, q);
  const int parts = alphabet_.complex ? 2 : 1;
  m_ = limited(parts * v.rows, io::kMaxVariables, values_.name, "values");
  n_ = limited(q.rows, io::kMaxQueries, queries_.name, "queries of a problem");
  d_ = limited((complex_ ? 2 : 1) * v.cols, io::kMaxWidth, values_.name, "columns");
  const int spins = qubo::spins_of(encoding_, alphabet_.levels);
  (void)limited(std::int64_t{m_} * spins, io::kMaxVariables, values_.name, "spins");
  check_sum();
  const auto bytes = sizeof(float) * at(m_) * at(m_);
  if (const std::size_t available = available_memory(); bytes > available) {
    throw InputError(values_.name + ": the couplings of " + format_grouped(m_) +
                     " values take " + format_grouped(std::int64_t(bytes)) +
                     " bytes of memory (free are " +
                     format_grouped(std::int64_t(available)) + ")");
  }
  if (!images_.labels.empty()) {
    io::Input input = io::Input::open(images_.labels);
    labels_ = io::read_labels(input);
    if (std::ssize(labels_) != count_) {
      throw InputError(images_.labels + ": " + counted(std::ssize(labels_), "label") +
                       " (expected " + format(count_) + ", one for each problem)");
    }
  }
}

void ArrayProblems::check_sum() const {
  if (!options_.choose) {
    return;
  }
  if (alphabet_.levels > 2 || alphabet_.lowest != 0.0) {
    throw UsageError(
        "choose",
        " is for binary coefficients (these take the values " + alphabet_.text() + ")");
  }
  const std::int64_t most = std::min(m_, encode::kMaxSum);
  if (*options_.choose < 0 || *options_.choose > most) {
    throw UsageError("choose",
                     ": " + format(*options_.choose) + " (expected 0 to " +
                         format(most) + " of " + format(m_) + " values)");
  }
}

/// Adds the known sum, with the given penalty or else one that suffices.
encode::LeastSquares ArrayProblems::with_sum(encode::LeastSquares squares,
                                             PenaltyCheck& check) const {
  if (options_.choose) {
    squares.sum = static_cast<int>(*options_.choose);
    const double needed = encode::sufficient_penalty(squares);
    squares.penalty = levels_.penalty.value_or(needed);
    check = {squares.penalty < needed ? squares.n : 0, needed};
  }
  return squares;
}

/// V of pair k in real numbers.  If coefficients are complex:
/// the values, then i times the values, each as real parts beside imaginary parts.
std::vector<double> ArrayProblems::real_values(std::int64_t k) const {
  const std::int64_t count = matrices(values_);
  const std::span<const double> re = matrix(values_.real, count, k);
  if (!complex_) {
    return {re.begin(), re.end()};
  }
  const std::vector<double> zero(values_.complex() ? 0 : re.size());
  const std::span<const double> im =
      values_.complex() ? matrix(values_.imaginary, count, k) : zero;
  const std::size_t width = at(d_) / 2;
  std::vector<double> all;
  all.reserve(at(m_) * at(d_));
  for (std::size_t i = 0; i < re.size(); i += width) {
    append(re.subspan(i, width), 1.0, all);
    append(im.subspan(i, width), 1.0, all);
  }
  for (std::size_t i = 0; alphabet_.complex && i < re.size(); i += width) {
    append(im.subspan(i, width), -1.0, all);
    append(re.subspan(i, width), 1.0, all);
  }
  return all;
}

std::vector<double> ArrayProblems::real_queries(std::int64_t k) const {
  const std::int64_t count = matrices(queries_);
  const std::span<const double> re = matrix(queries_.real, count, k);
  if (!complex_) {
    return {re.begin(), re.end()};
  }
  const std::vector<double> zero(queries_.complex() ? 0 : re.size());
  const std::span<const double> im =
      queries_.complex() ? matrix(queries_.imaginary, count, k) : zero;
  const std::size_t width = at(d_) / 2;
  std::vector<double> all;
  all.reserve(at(n_) * at(d_));
  for (std::size_t i = 0; i < re.size(); i += width) {
    append(re.subspan(i, width), 1.0, all);
    append(im.subspan(i, width), 1.0, all);
  }
  return all;
}

ArrayProblems::Numbers ArrayProblems::numbers(std::int64_t k) const {
  return {real_values(k), real_queries(k)};
}

encode::LeastSquares ArrayProblems::squares(const Numbers& numbers) const {
  return {.m = m_,
          .n = n_,
          .d = d_,
          .v = numbers.v,
          .q = numbers.q,
          .lambda = options_.lambda};
}

ArrayProblems::Posed ArrayProblems::pose(std::int64_t k, const Numbers& numbers) const {
  if (std::ranges::all_of(numbers.v, [](double value) { return value == 0.0; })) {
    throw InputError(values_.name + ": all values of problem " + format(k) +
                     " are 0 (expected a matrix of rank 1 or more)");
  }
  Posed posed;
  qubo::Problem& p = posed.problem;
  p = encode::encode(with_sum(squares(numbers), posed.penalties), alphabet_);
  p.index = k;
  if (!labels_.empty()) {
    p.label = labels_[at(k)];
  }
  p.encoding = encoding_;
  check_finite(p.j, values_.name, k);
  check_finite(p.h, queries_.name, k);
  check_finite(p.residual, queries_.name, k);
  if (std::ranges::all_of(p.j, [](float weight) { return weight == 0.0F; })) {
    throw InputError(values_.name + ": problem " + format(k) +
                     " has numbers below single precision (expected larger values)");
  }
  posed.coarse = is_coarse(p);
  if (alphabet_.levels > 2) {
    posed.penalties = add_penalties(levels_, p);
  }
  return posed;
}

void ArrayProblems::write_head(io::StreamWriter& writer,
                               const std::string& history) const {
  io::Metadata metadata = qubo::describe(alphabet_);
  metadata["oa.problems"] = format(count_);
  metadata["oa.history"] = history;
  if (alphabet_.levels > 2) {
    metadata["oa.coefficients"] = field_text(Coefficients::Levels);
    metadata["oa.levels"] = format(alphabet_.levels);
    metadata["oa.encoding"] = field_text(encoding_);
  } else {
    metadata["oa.coefficients"] = field_text(Coefficients::Binary);
  }
  writer.head(std::move(metadata), {}, io::Series::Tasks);
}

void ArrayProblems::write(io::Output& output, Context& context) {
  const IndexSet chosen = selected_indices(
      images_, limited(count_, 1 << 30, queries_.name, "problems"), "problem");
  std::vector<std::int64_t> indices;
  for (const IndexSet::Range& range : chosen.ranges()) {
    for (std::int64_t k = range.first; k <= range.last; ++k) {
      indices.push_back(k);
    }
  }
  io::StreamWriter writer(output);
  write_head(writer, context.history());
  context.progress().start("problems", std::ssize(indices));
  std::int64_t coarse = 0;
  std::size_t next = 0;
  const auto read = [&]() -> std::optional<std::int64_t> {
    return next < indices.size() && !context.interrupted()
               ? std::optional(indices[next++])
               : std::nullopt;
  };
  const auto pose_one = [&](std::int64_t k, int) { return pose(k, numbers(k)); };
  const auto write_one = [&](const Posed& posed) {
    io::write_problem(writer, posed.problem);
    penalties_.add(posed.penalties);
    coarse += posed.coarse ? 1 : 0;
    ++written_;
    context.progress().advance(1);
  };
  ordered_pipeline(context.threads(), context.stop(), read, pose_one, write_one);
  complete_ = !context.interrupted();
  writer.finish(complete_);
  output.commit();
  warn_of_penalties(penalties_, levels_, context);
  if (coarse > 0) {
    context.warn(values_.name + ": single precision may change the optimum of " +
                 counted(coarse, "problem") +
                 ", whose numbers are large beside their differences");
  }
}

std::string ArrayProblems::summary_text() const {
  return counted(written_ * n_, "problem") + " of " + counted(m_, "coefficient") +
         " with values " + alphabet_.text() +
         (options_.choose
              ? ", whose sum is " + format(*options_.choose) + " (penalty " +
                    format(static_cast<float>(largest_penalty())) + ")"
              : "") +
         "\n";
}

std::string ArrayProblems::summary_json() const {
  JsonObject json{{"problems", written_},
                  {"qubos", written_ * n_},
                  {"variables", m_},
                  {"coefficients", kind_},
                  {"complex", alphabet_.complex},
                  {"complete", complete_}};
  if (alphabet_.levels > 2) {
    json.member("levels", alphabet_.levels)
        .member("encoding", field_text(encoding_))
        .member("spins", m_ * qubo::spins_of(encoding_, alphabet_.levels));
  }
  if (options_.choose) {
    json.member("choose", *options_.choose)
        .member("penalty", JsonValue::shortest(largest_penalty()));
  }
  return json.text() + "\n";
}

double ArrayProblems::largest_penalty() const {
  return levels_.penalty.value_or(penalties_.needed);
}

}  // namespace oa::app
