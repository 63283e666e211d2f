#include "oa/report/training_report.h"

#include "oa/base/number.h"

namespace oa::report {
namespace {

// ,"name":value; JSON has no way to write what is not finite.
std::string member(const char* name, double value) {
  const std::string text = format(value);
  const bool number = text.find_first_of("nif") == text.npos;
  return ",\"" + std::string(name) + "\":" + (number ? text : "null");
}

std::string training(const train::StepReport& r, std::int64_t seed, double seconds) {
  return ",\"seed\":" + format(seed) + ",\"epoch\":" + format(r.epoch) +
         ",\"step\":" + format(r.step) + member("train_loss", r.loss) +
         member("train_accuracy", r.accuracy) + member("rate", r.rate) +
         member("gradient_norm", r.gradient_norm) + member("seconds", seconds);
}

std::string layers(const train::Evaluation& e) {
  std::string all;
  for (const train::LayerStatistics& layer : e.layers) {
    all += (all.empty() ? "" : ",") + ("{" + member("ones", layer.ones).substr(1)) +
           member("qv_similarity", layer.similarity) + "}";
  }
  return ",\"layers\":[" + all + "]";
}

}  // namespace

std::string json(const train::StepReport& report, std::int64_t seed, double seconds) {
  return "{\"type\":\"step\"" + training(report, seed, seconds) + "}";
}

std::string json(const train::EpochReport& report,
                 const train::Evaluation* test,
                 std::int64_t seed,
                 double seconds) {
  std::string line = "{\"type\":\"epoch\"" + training(report.training, seed, seconds);
  if (report.held_out.images > 0) {
    line += member("validation_loss", report.held_out.loss) +
            member("validation_accuracy", report.held_out.accuracy()) +
            member("qp_residual", report.held_out.residual) + layers(report.held_out);
  }
  if (test != nullptr) {
    line += member("test_loss", test->loss) + member("test_accuracy", test->accuracy());
  }
  return line + ",\"best\":" + (report.best ? "true" : "false") + "}";
}

}  // namespace oa::report
