#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace oa::score {

/// The 97.5 % quantile of the normal distribution.
inline constexpr double kHalfOf95 = 1.959963984540054;

struct Prediction {
  std::int64_t index = 0;             ///< of the image in its data set
  std::optional<std::int64_t> label;  ///< the image's class, if known
  std::int64_t predicted = 0;         ///< the most probable class
  std::vector<double> probabilities;  ///< for each class

  [[nodiscard]] bool correct() const { return label && *label == predicted; }
};

/// A share and its 95 % interval by Wilson (E. B. Wilson, JASA 22, 1927), which lies
/// in [0,1] and is accurate near 0 and 1.
struct Share {
  std::int64_t count = 0;
  std::int64_t total = 0;

  [[nodiscard]] double value() const;  ///< NaN if the total is 0
  [[nodiscard]] double low() const;
  [[nodiscard]] double high() const;
};

/// Counts correct predictions over images with a known class.
class Accuracy {
 public:
  void add(const Prediction& prediction);

  [[nodiscard]] std::int64_t images() const { return images_; }
  [[nodiscard]] Share overall() const;
  /// The share of images whose right class is among the k most probable classes.
  /// If classes are equally probable, the right class counts as first.
  [[nodiscard]] Share within(int k) const;
  [[nodiscard]] int classes() const { return static_cast<int>(confusion_.size()); }
  [[nodiscard]] Share of_class(int label) const;
  /// The number of images of class `label` with the prediction `predicted`.
  [[nodiscard]] std::int64_t confusion(int label, int predicted) const;
  /// The mean probability of the predicted class; NaN without images.
  [[nodiscard]] double mean_confidence() const;

 private:
  void grow(std::int64_t classes);

  std::int64_t images_ = 0;
  double confidence_ = 0.0;
  std::vector<std::vector<std::int64_t>> confusion_;
  std::vector<std::int64_t>
      ranks_;  // ranks_[r]: images with r classes more probable than the right one
};

/// Quartiles by linear interpolation between order statistics, as numpy's default.
struct Quartiles {
  std::int64_t count = 0;
  double low = 0.0;
  double median = 0.0;
  double high = 0.0;
};

[[nodiscard]] Quartiles quartiles(std::vector<double> values);

/// Energies of an image's problems, from a stream of solutions; may be empty.
struct Solved {
  std::uint64_t problem = 0;  ///< qubo::fingerprint() of the problems
  std::vector<double> energies;
};

/// The result of a run for one image.
struct ImageResult {
  Prediction prediction;
  Solved solved = {};
};

/// Compares two runs' energies of the same problems.
struct EnergyGaps {
  std::int64_t images = 0;    ///< images with energies in both runs
  std::int64_t other = 0;     ///< images whose problems differ, excluded below
  std::int64_t problems = 0;  ///< problems of equal images
  std::int64_t equal = 0;
  std::int64_t lower_a = 0;
  std::int64_t lower_b = 0;
  double sum_b = 0.0;   ///< sum of energies in B
  double sum = 0.0;     ///< sum of energies in A minus energies in B
  double most_a = 0.0;  ///< largest difference of A below B
  double most_b = 0.0;  ///< largest difference of B below A

  void add(const Solved& a, const Solved& b);
  /// The mean of A minus the mean of B, relative to the absolute mean of B.
  [[nodiscard]] double distance() const;
};

/// Compares two runs over the same images.
struct Comparison {
  std::int64_t images = 0;  ///< images in both runs
  std::int64_t only_a = 0;  ///< images only in A
  std::int64_t only_b = 0;
  std::int64_t agree = 0;  ///< images with equal predictions
  std::int64_t labelled = 0;
  std::int64_t right_a = 0;
  std::int64_t right_b = 0;
  std::int64_t a_not_b = 0;  ///< images that are right in A, wrong in B
  std::int64_t b_not_a = 0;
  double mcnemar_p = 1.0;               ///< exact, two-sided test
  std::vector<Quartiles> confidence_a;  ///< probability of the true class, by class
  std::vector<Quartiles> confidence_b;
  EnergyGaps energy;

  /// The accuracy of A minus the accuracy of B.
  [[nodiscard]] double accuracy_difference() const;
  /// The 95 % interval of accuracy_difference() for paired data: Wald's with 1/2 added
  /// to each cell (A. Agresti and Y. Min, Statistics in Medicine 24, 2005).
  [[nodiscard]] double difference_low() const;
  [[nodiscard]] double difference_high() const;
};

/// Matches images by index.  If an index is repeated, the last result counts.
[[nodiscard]] Comparison compare(std::span<const ImageResult> a,
                                 std::span<const ImageResult> b);

/// The exact McNemar test: the probability that a + b fair coin tosses are split at
/// least as unevenly as (a, b).
[[nodiscard]] double mcnemar(std::int64_t a, std::int64_t b);

}  // namespace oa::score
