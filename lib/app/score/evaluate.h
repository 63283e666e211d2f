#pragma once

#include "app/context.h"
#include "app/images.h"
#include "oa/io/table/answers_csv.h"
#include "oa/score/run.h"

#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace oa::app {

/// Who gets what a model says, example by example.  Empty: nobody.
struct Takers {
  std::function<void(const score::Prediction&)> prediction;
  /// Where not one class is asked for: every question.
  std::function<void(Objective, const io::AnswerRow&)> answer;
};

/// Classifies the images of the solution stream at `path`, in its order: what the
/// problems are like goes into `run`, what the model
/// says to `takers`.  Throws InputError if the
/// stream holds problems without solutions or parts of different models.
void evaluate_stream(const std::string& path,
                     int threads,
                     Context& context,
                     score::Run& run,
                     const Takers& takers);

/// Asks the model at `path`, of any kind, about images or sequences.  `exact`: whether
/// coefficients are the optima of each layer's problems; empty: as in its training.
void evaluate_model(const std::string& path,
                    const ImageOptions& images,
                    std::optional<bool> exact,
                    int threads,
                    Context& context,
                    score::Run& run,
                    const Takers& takers);

/// The names of the classes in the file of a model that was trained on folders of them;
/// else none, nor where the model came from a pipe.
[[nodiscard]] std::vector<std::string> class_names_of(const std::string& path);

/// What a table of predictions or answers says, or a stream of solutions, for a stream
/// of images with their energies; content decides.
using RunResults =
    std::variant<std::vector<score::ImageResult>, std::vector<score::TaskResult>>;
[[nodiscard]] RunResults read_results(const std::string& path,
                                      int threads,
                                      Context& context);

/// The same where one class is asked for; other runs are refused.
[[nodiscard]] std::vector<score::ImageResult> read_image_results(
    const std::string& path, int threads, Context& context);

}  // namespace oa::app
