#pragma once

#include "app/context.h"
#include "app/images.h"
#include "app/score/truth.h"
#include "oa/io/table/answers_csv.h"
#include "oa/score/run.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace oa::app {

/// Receivers of a model's outputs, called example by example.  Any may be empty.
struct Takers {
  std::function<void(const score::Prediction&)> prediction;
  /// Called for every question of tasks other than classification.
  std::function<void(Objective, const io::AnswerRow&)> answer;
};

/// Settings for scoring a stream.
struct StreamScoring {
  const Truth* truth = nullptr;  ///< true coefficients of least squares problems
  bool marginals = false;        ///< use marginals of samples instead of solutions
};

/// Classifies the images of the solution stream at `path`, in order: adds statistics to
/// `run`, and passes predictions to `takers`.  Throws InputError for problems without
/// solutions, and for parts of different models.  For least squares problems, counts
/// solutions and compares them with the truth.
void evaluate_stream(const std::string& path,
                     Context& context,
                     score::Run& run,
                     const Takers& takers,
                     const StreamScoring& how = {});

/// Evaluates the model at `path` on images or sequences.  `exact`: whether coefficients
/// are optima of each layer's problems; empty: as in training.
void evaluate_model(const std::string& path,
                    const ImageOptions& images,
                    std::optional<bool> exact,
                    Context& context,
                    score::Run& run,
                    const Takers& takers);

/// Returns the class names of a model file whose training data had names;
/// empty otherwise, and if `path` is a pipe.
[[nodiscard]] std::vector<std::string> class_names_of(const std::string& path);

/// The results in a table of predictions or answers, or in a stream of solutions with
/// energies.  The content of the file decides which of the two it is.
using RunResults =
    std::variant<std::vector<score::ImageResult>, std::vector<score::TaskResult>>;
[[nodiscard]] RunResults read_results(const std::string& path, Context& context);

/// Reads the results of a classification.  Throws InputError for other tasks.
[[nodiscard]] std::vector<score::ImageResult> read_image_results(
    const std::string& path, Context& context);

}  // namespace oa::app
