#pragma once

#include <optional>
#include <string>
#include <vector>

namespace oa::score {

// Measurements that files store and figures show.

/// The course of one training, with a point for each epoch or for some steps.
/// Values that were not measured are empty.
struct Curve {
  std::string name;
  struct Epoch {
    double epoch = 0.0;  ///< number of the epoch, or of the step
    std::optional<double> train_loss;
    std::optional<double> train_accuracy;
    std::optional<double> test_loss;  ///< of test images, or of held-out images
    std::optional<double> test_accuracy;
  };
  std::vector<Epoch> epochs;
  bool held_out = false;  ///< test_... are of held-out images
};

/// Pairs of numbers in groups, such as cost and benefit.
struct Scatter {
  struct Item {
    double x = 0.0;
    double y = 0.0;
    std::string label;  ///< shown beside the point; may be empty
  };
  struct Group {
    std::string name;
    std::vector<Item> items;  ///< a line connects them in this order
  };
  std::string x_name;
  std::string y_name;
  std::vector<Group> groups;  ///< each has at least one item
};

/// Measurements of kinds of attention at several numbers of tokens.
struct BenchChart {
  struct Point {
    double tokens = 0.0;  ///< above 0
    double ms = 0.0;      ///< above 0
    double flops = 0.0;
    double traffic = 0.0;  ///< bytes
    double memory = 0.0;   ///< bytes

    [[nodiscard]] double gflops() const { return flops / (1e6 * ms); }
    [[nodiscard]] double flops_per_byte() const { return flops / traffic; }
  };
  struct Line {
    std::string name;
    std::vector<Point> points;  ///< by rising tokens
    std::string config = {};    ///< the kind with all options
    std::string family = {};    ///< lines of a family may share a colour

    /// The exponent p of time ~ tokens^p, by least squares of logarithms; nothing for a
    /// single number of tokens.
    [[nodiscard]] std::optional<double> power() const;
  };
  std::string machine;
  double peak_gflops = 0.0;
  double copy_gbs = 0.0;
  std::vector<Line> lines;  ///< each has at least one point
};

/// The accuracy of a model with some kind of attention.
struct KindAccuracy {
  std::string name;
  std::string attention;  ///< name of a line of the benchmark, or its config
  double share = 0.0;     ///< from 0 to 1
  std::optional<double> deviation = {};  ///< standard deviation over trainings
};

}  // namespace oa::score
