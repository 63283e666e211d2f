#include "app/train/initial_model.h"

#include "app/context.h"
#include "app/images.h"
#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/field.h"
#include "oa/base/fingerprint.h"
#include "oa/base/number.h"

#include <algorithm>

namespace oa::app {
namespace {

// Images enough for second moments of a few hundred numbers: an image has 49 tokens.
constexpr int kCalibrationImages = 1024;

std::string fingerprint_of(const model::Model& model) {
  const auto values = std::as_bytes(model.values.flat());
  return fingerprint(
      {{reinterpret_cast<const std::uint8_t*>(values.data()), values.size()}});
}

/// Adapts a model to the configuration of the recipe.
model::Model fitted(const InitialOptions& options,
                    const model::Model& model,
                    const train::Recipe& recipe,
                    const InitialData& data) {
  if (!options.convert) {
    return model::with_config(model, recipe.model, options.file);
  }
  std::vector<model::Moments> inputs;
  if (options.convert == model::Sharing::Aligned ||
      options.convert == model::Sharing::Svd) {
    inputs = data.moments(model, std::min(kCalibrationImages, data.training));
  }
  return model::convert(model, recipe.model, *options.convert, inputs, options.file);
}

void check_images(const model::Model& model,
                  const Dataset& train,
                  const std::string& where) {
  if (model.config.takes_sequences() || train.has_sequences()) {
    check_examples(model.config, train, where);
    return;
  }
  if (model.config.rows != train.images.rows ||
      model.config.cols != train.images.cols) {
    throw InputError(where + ": images of " + format(model.config.rows) + "x" +
                     format(model.config.cols) + " pixels (the training images have " +
                     format(train.images.rows) + "x" + format(train.images.cols) + ")");
  }
}

void check_steps(const InitialOptions& options,
                 const train::Recipe& recipe,
                 std::int64_t images) {
  if (options.mixing == 0) {
    return;
  }
  if (options.convert != model::Sharing::Mean) {
    throw UsageError("mixing", " needs convert mean");
  }
  const std::int64_t batch = recipe.training.batch;
  const std::int64_t steps = (images + batch - 1) / batch * recipe.training.epochs;
  if (options.mixing >= steps) {
    throw UsageError("mixing",
                     " " + format(options.mixing) + " (expected less than the " +
                         format(steps) + " steps of the training)");
  }
}

}  // namespace

std::string percent(double share) {
  return format_fixed(100.0 * share, 2) + " %";
}

std::string fingerprint(std::initializer_list<std::span<const std::uint8_t>> parts) {
  Fingerprint all;
  for (const auto& bytes : parts) {
    all.add(bytes);
  }
  return all.text();
}

double InitialModel::accuracy() const {
  return stages.empty() ? 0.0 : stages.back().evaluation.accuracy();
}

std::string InitialModel::text() const {
  std::string all;
  for (const Stage& stage : stages) {
    all += stage.name + " model: loss " + format_fixed(stage.evaluation.loss, 4) +
           ", accuracy " + percent(stage.evaluation.accuracy()) + " of " +
           counted(stage.evaluation.examples, "example") + "\n";
  }
  return all;
}

JsonObject InitialModel::json() const {
  JsonObject all;
  for (const Stage& stage : stages) {
    all.member(
        stage.name,
        JsonObject{{"images", stage.evaluation.examples},
                   {"loss", JsonValue::shortest(stage.evaluation.loss)},
                   {"accuracy", JsonValue::shortest(stage.evaluation.accuracy())}});
  }
  return all;
}

io::Metadata identity_of(const InitialOptions& options, const model::Model& model) {
  io::Metadata all{{"oa.train.init", fingerprint_of(model)}};
  if (options.convert) {
    all["oa.train.convert"] = field_text(*options.convert);
  }
  if (options.mixing > 0) {
    all["oa.train.mixing"] = format(options.mixing);
  }
  return all;
}

InitialModel prepare(const InitialOptions& options,
                     const model::Model& model,
                     const train::Recipe& recipe,
                     const InitialData& data) {
  const std::string& where = options.file;
  check_steps(options, recipe, data.training);
  check_images(model, data.like, where);
  InitialModel all{
      .start = {fitted(options, model, recipe, data)},
      .stages = {},
      .identity = identity_of(options, model),
  };
  const auto look_at = [&](const char* stage, const model::Model& at) {
    const train::Evaluation seen = data.evaluate(at);
    if (seen.examples > 0) {
      all.stages.push_back({stage, seen});
    }
  };
  look_at("initial", model);
  if (options.convert) {
    look_at("converted", all.start.model);
  }
  if (options.mixing > 0) {
    all.start.mixing = static_cast<int>(options.mixing);
    all.start.model = model::with_config(
        model, model::before_sharing(model, recipe.model, where), where);
  }
  return all;
}

}  // namespace oa::app
