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

/// Part k of n parts, counted from 0.
struct Shard {
  std::int64_t k = 0;
  std::int64_t n = 1;
};

/// Parses "K/N" with 0 <= K < N.
[[nodiscard]] std::optional<Shard> parse_shard(const std::string& text);

/// Options for the examples that a model reads.
struct ImageOptions {
  std::string images = "-";      ///< file or folder of images, or a text file
  bool fit = false;              ///< convert pictures to the model's size and colours
  std::optional<bool> invert{};  ///< invert brightness; empty: as in training
  std::string labels{};
  std::optional<std::int64_t> first{};
  std::optional<IndexSet> index{};
  std::string shard{};
  int stride = 0;                        ///< 0: the model's stride
  std::string coefficients{};            ///< empty: the model's coefficients
  std::optional<std::int64_t> levels{};  ///< empty: the model's levels
};

/// Returns the indices of the selected examples among `count`.
/// Throws InputError if one is missing; `noun` names an example in the message.
[[nodiscard]] IndexSet selected_indices(const ImageOptions& options,
                                        int count,
                                        const std::string& noun);

/// A model and the way its layers find coefficients.
struct LoadedModel {
  model::Model model;
  bool signed_levels = false;  ///< trained for the lasso, but used with levels
  bool exact = false;          ///< trained on optima of its problems
};

/// Reads the model at `path`; sets stride and coefficients of the options.
/// Throws UsageError for levels with a lasso model, unless problems are only posed.
[[nodiscard]] LoadedModel read_model(const std::string& path,
                                     const ImageOptions& options);
[[nodiscard]] LoadedModel read_posed_model(const std::string& path,
                                           const ImageOptions& options);

/// Settings for binary coefficients and levels: optima of their problems if `exact`,
/// with proofs counted by `count`, else rounded from the relaxation.
[[nodiscard]] attention::SolverSettings solver_of(bool exact,
                                                  train::ExactCount* count = nullptr);

/// Throws InputError, whose message begins with `where`, unless the examples suit the
/// model.  `remedy` is a hint on how to convert pictures.
void check_examples(const model::Config& config,
                    const Dataset& data,
                    const std::string& where,
                    const std::string& remedy = "");

/// The selected examples in file order: images, or the test part of a folder or text.
class ExampleSource {
 public:
  /// Throws InputError if examples do not suit the model, or a selected one is missing.
  ExampleSource(const ImageOptions& options,
                const model::Config& config,
                Context& context);

  [[nodiscard]] std::int64_t size() const { return std::ssize(chosen_); }
  [[nodiscard]] const Dataset& data() const { return data_; }
  /// The index in the file of selected example k.
  [[nodiscard]] int index(std::int64_t k) const {
    return chosen_[static_cast<std::size_t>(k)];
  }
  /// The index of selected example k in data(), which may be a part of the file.
  [[nodiscard]] int place(std::int64_t k) const { return index(k) - first_; }
  /// The class of example k, if known.
  [[nodiscard]] std::optional<std::int64_t> label(std::int64_t k) const;

 private:
  std::vector<int> chosen_;
  int count_ = 0;  // number of examples in the file
  int first_ = 0;  // index in the file of data_'s first example
  Dataset data_;
};

}  // namespace oa::app
