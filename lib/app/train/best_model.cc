#include "app/train/best_model.h"

#include "app/train/training.h"
#include "oa/base/error.h"
#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/tensor/checkpoint_io.h"
#include "oa/model/convert.h"

namespace oa::app {
namespace {

/// The parameters of the best epoch.  If heads are being converted to shared keys, the
/// checkpoint has separate keys and the result shared ones.
model::Model best_values(const io::Checkpoint& checkpoint) {
  const std::string& path = checkpoint.where;
  const model::Config config = io::read_config(checkpoint.file, path);
  const auto mixed = checkpoint.metadata().find(kMixedAttention);
  const bool converts = mixed != checkpoint.metadata().end();
  model::Config trained = config;
  if (converts) {
    trained.attention = mixed->second;
  }
  model::Model model(trained);
  model.values = checkpoint.set("best", model.layout);
  return converts ? model::convert(model, config, model::Sharing::Mean, {}, path)
                  : model;
}

/// The metadata of the checkpoint without the training state, with the best epoch and
/// its accuracy.
io::Metadata notes_of(const io::Metadata& checkpoint, const train::State& state) {
  io::Metadata notes = checkpoint;
  std::erase_if(notes,
                [](const auto& note) { return note.first.starts_with("oa.state."); });
  add_result(state.best_epoch, best_accuracy(state), notes);
  return notes;
}

}  // namespace

Exit write_best_model(const std::string& path, const Common& common, Context& context) {
  const io::Input kept = io::Input::open(path);  // so that the model cannot replace it
  const io::Checkpoint checkpoint = io::read_checkpoint(path);
  const model::Model model = best_values(checkpoint);
  train::State state(model.layout);
  train::restore(checkpoint.metadata(), path, state);
  if (state.best_epoch == 0) {
    throw InputError(path + ": no epoch has ended, so there is no best model");
  }
  io::Output output(common.output);
  io::write_model(output, model, notes_of(checkpoint.metadata(), state));
  output.commit();
  const std::optional<double> accuracy = best_accuracy(state);
  std::string text = "epoch " + format(state.best_epoch) + " of " + path +
                     (accuracy ? ", validation " + percent(*accuracy) : "") + "\n";
  if (common.json) {
    JsonObject all{{"best_epoch", state.best_epoch}};
    if (accuracy) {
      all.member("validation_accuracy", JsonValue::shortest(*accuracy));
    }
    text = all.text() + "\n";
  }
  context.summarise(common, text);
  return context.status(true);
}

}  // namespace oa::app
