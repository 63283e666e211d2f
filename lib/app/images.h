#pragma once

#include "app/context.h"
#include "oa/base/index_set.h"
#include "oa/data/dataset.h"
#include "oa/model/network.h"
#include "oa/train/exact_forward.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace oa::app {

/// Part k of n, from 0.
struct Shard {
  std::int64_t k = 0;
  std::int64_t n = 1;
};

/// "K/N" with 0 <= K < N.
[[nodiscard]] std::optional<Shard> parse_shard(const std::string& text);

/// A model's input, as the tools that run models take it.
struct ImageOptions {
  std::string images = "-";  ///< or a folder or text, as the model was trained on
  bool fit = false;          ///< pictures get the size and colours that the model takes
  std::optional<bool> invert{};  ///< dark becomes bright; empty: as in its training
  std::string labels{};
  std::optional<std::int64_t> first{};
  std::optional<IndexSet> index{};
  std::string shard{};
  int stride = 0;                        ///< 0: the model's own
  std::string coefficients{};            ///< empty: the model's own
  std::optional<std::int64_t> levels{};  ///< likewise
};

/// A model that is asked about examples.
struct AskedModel {
  model::Model model;
  bool signed_levels = false;  ///< it was trained for the lasso and gets levels
  bool exact = false;          ///< it was trained on the optima of its problems
};

/// The model file `path`, with the stride and coefficients asked for.  Throws
/// UsageError for levels of a model of the lasso, unless they are for posing.
[[nodiscard]] AskedModel read_model(const std::string& path,
                                    const ImageOptions& options);
[[nodiscard]] AskedModel read_posed_model(const std::string& path,
                                          const ImageOptions& options);

/// How layers find binary coefficients and levels.  Exact: by the optima of their
/// problems; `count` gets how many were proved.  Else: by rounding the relaxation.
[[nodiscard]] attention::SolverSettings solver_of(bool exact,
                                                  train::ExactCount* count = nullptr);

/// Throws InputError, which begins with `where`, unless the model can be asked about
/// these examples.  `remedy` says how pictures can be made to fit.
void check_examples(const model::Config& config,
                    const Dataset& data,
                    const std::string& where,
                    const std::string& remedy = "");

/// The examples asked for, in the order of their file: images, the test part of a
/// folder or of a text.
class ExampleSource {
 public:
  /// Throws InputError if the examples do not suit the model or one asked for is not
  /// there.
  ExampleSource(const ImageOptions& options,
                const model::Config& config,
                Context& context);

  [[nodiscard]] std::int64_t size() const { return std::ssize(chosen_); }
  [[nodiscard]] const Dataset& data() const { return data_; }
  /// The number of example k of those asked for in its file.
  [[nodiscard]] int index(std::int64_t k) const {
    return chosen_[static_cast<std::size_t>(k)];
  }
  /// Where it is in the data: of pictures only those around are there.
  [[nodiscard]] int place(std::int64_t k) const { return index(k) - first_; }
  /// The class of that example, if one is asked for and known.
  [[nodiscard]] std::optional<std::int64_t> label(std::int64_t k) const;

 private:
  std::vector<int> chosen_;
  int count_ = 0;  // of the file
  int first_ = 0;  // its number of what comes first in the data
  Dataset data_;
};

}  // namespace oa::app
