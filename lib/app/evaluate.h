#pragma once

#include "app/context.h"
#include "app/images.h"
#include "oa/score/run.h"

#include <functional>
#include <string>
#include <vector>

namespace oa::app {

using TakePrediction = std::function<void(const score::Prediction&)>;

/// Classifies the images of the solution stream at `path`, in its order: what the
/// problems are like goes into `run`, predictions to `take`.  Throws InputError if the
/// stream holds problems without solutions or parts of different models.
void evaluate_stream(const std::string& path,
                     int threads,
                     Context& context,
                     score::Run& run,
                     const TakePrediction& take);

/// Asks the model at `path`, of any kind, about images or sequences.  `exact`: binary
/// coefficients are the optima of each layer's problems.
void evaluate_model(const std::string& path,
                    const ImageOptions& images,
                    bool exact,
                    int threads,
                    Context& context,
                    score::Run& run,
                    const TakePrediction& take);

/// What a table of predictions says, or a stream of solutions, with their energies;
/// content decides.
[[nodiscard]] std::vector<score::ImageResult> read_image_results(
    const std::string& path, int threads, Context& context);

}  // namespace oa::app
