#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::score {

/// Half a 95 % interval in standard errors: the normal's 97.5 % point.
inline constexpr double kHalfOf95 = 1.959963984540054;

/// What a model says about one image.
struct Prediction {
  std::int64_t index = 0;             ///< position of the image in its data set
  std::optional<std::int64_t> label;  ///< its class, if known
  std::int64_t predicted = 0;         ///< the class of highest probability
  std::vector<double> probabilities;  ///< one for each class

  [[nodiscard]] bool correct() const { return label && *label == predicted; }
};

/// A share of a whole, with Wilson's 95 % interval (E. B. Wilson, JASA 22, 1927), which
/// stays within [0,1] and is right near its ends.
struct Share {
  std::int64_t count = 0;
  std::int64_t total = 0;

  [[nodiscard]] double value() const;  ///< NaN if the total is 0
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
};

/// How often the right class was predicted, over images whose class is known.
class Accuracy {
 public:
  void add(const Prediction& prediction);

  [[nodiscard]] std::int64_t images() const { return images_; }
  [[nodiscard]] Share overall() const;
  /// The right class among the k most probable; in a tie the right class comes first.
  [[nodiscard]] Share within(int k) const;
  [[nodiscard]] int classes() const { return static_cast<int>(confusion_.size()); }
  [[nodiscard]] Share of_class(int label) const;
  /// How many images of class `label` were predicted to be `predicted`.
  [[nodiscard]] std::int64_t confusion(int label, int predicted) const;
  /// The mean probability of the class predicted; NaN without images.
  [[nodiscard]] double mean_confidence() const;

 private:
  void grow(std::int64_t classes);

  std::int64_t images_ = 0;
  double confidence_ = 0.0;
  std::vector<std::vector<std::int64_t>> confusion_;
  std::vector<std::int64_t> ranks_;  // ranks_[r]: images with r above the right class
};

/// Quartiles as numpy's default computes them: linear between order statistics.
struct Quartiles {
  std::int64_t count = 0;
  double low = 0.0;
  double median = 0.0;
  double high = 0.0;
};

[[nodiscard]] Quartiles quartiles(std::vector<double> values);

/// What a stream of solutions says of an image's problems; no energies: nothing.
struct Solved {
  std::uint64_t problem = 0;  ///< the fingerprint, see qubo::fingerprint
  std::vector<double> energies;
};

/// What a run says about one image.
struct ImageResult {
  Prediction prediction;
  Solved solved = {};
};

/// Energies of the same problems in two runs.
struct EnergyGaps {
  std::int64_t images = 0;    ///< with energies in both
  std::int64_t other = 0;     ///< of these: problems differ, not counted below
  std::int64_t problems = 0;  ///< the same in both
  std::int64_t equal = 0;
  std::int64_t lower_a = 0;
  std::int64_t lower_b = 0;
  double sum_b = 0.0;   ///< of the energies in B
  double sum = 0.0;     ///< of the energy in A less that in B
  double most_a = 0.0;  ///< the most that A is below B
  double most_b = 0.0;  ///< the most that B is below A

  void add(const Solved& a, const Solved& b);
  /// The mean energy in A less that in B, as a share of the size of the latter.
  [[nodiscard]] double distance() const;
};

/// Two runs over the same images.
struct Comparison {
  std::int64_t images = 0;  ///< in both
  std::int64_t only_a = 0;  ///< images of A alone
  std::int64_t only_b = 0;
  std::int64_t agree = 0;  ///< same prediction
  std::int64_t labelled = 0;
  std::int64_t right_a = 0;
  std::int64_t right_b = 0;
  std::int64_t a_not_b = 0;  ///< A right, B wrong
  std::int64_t b_not_a = 0;
  double mcnemar_p = 1.0;               ///< exact, two-sided
  std::vector<Quartiles> confidence_a;  ///< of the true class, by class
  std::vector<Quartiles> confidence_b;
  EnergyGaps energy;

  /// How much more often A is right, as a share.
  [[nodiscard]] double accuracy_difference() const;
  /// Its 95 % interval, for pairs: A. Agresti and Y. Min, Statistics in Medicine 24,
  /// 2005, Wald's with half an image more in each cell of the table.
  [[nodiscard]] double difference_low() const;
  [[nodiscard]] double difference_high() const;
};

/// Matches images by index.  If a run has an index twice, the last counts.
[[nodiscard]] Comparison compare(std::span<const ImageResult> a,
                                 std::span<const ImageResult> b);

/// The probability, if heads and tails are equally likely, of a split of a + b tosses
/// at least as uneven as (a, b): McNemar's test in its exact form.
[[nodiscard]] double mcnemar(std::int64_t a, std::int64_t b);

}  // namespace oa::score
