#include "oa/report/training_report.h"

#include "oa/base/json_text.h"
#include "oa/base/number.h"

namespace oa::report {
namespace {

JsonObject training(const char* type,
                    const train::StepReport& r,
                    std::int64_t seed,
                    double seconds) {
  JsonObject line{{"type", type},
                  {"seed", seed},
                  {"epoch", r.epoch},
                  {"step", r.step},
                  {"train_loss", JsonValue::shortest(r.loss)},
                  {"train_accuracy", JsonValue::shortest(r.accuracy)},
                  {"rate", JsonValue::shortest(r.rate)},
                  {"gradient_norm", JsonValue::shortest(r.gradient_norm)},
                  {"seconds", JsonValue::shortest(seconds)}};
  if (r.waited) {
    line.member("waited", JsonValue::shortest(*r.waited));
  }
  return line;
}

JsonArray layers(const train::Evaluation& e) {
  JsonArray all;
  for (const train::LayerStatistics& layer : e.layers) {
    all.element(JsonObject{{"ones", JsonValue::shortest(layer.ones)},
                           {"qv_similarity", JsonValue::shortest(layer.similarity)}});
  }
  return all;
}

}  // namespace

std::string json(const train::StepReport& report, std::int64_t seed, double seconds) {
  return training("step", report, seed, seconds).text();
}

std::string json(const train::EpochReport& report,
                 const train::Evaluation* test,
                 std::int64_t seed,
                 double seconds) {
  JsonObject line = training("epoch", report.training, seed, seconds);
  if (report.held_out.examples > 0) {
    const train::Evaluation& e = report.held_out;
    line.members({{"validation_loss", JsonValue::shortest(e.loss)},
                  {"validation_accuracy", JsonValue::shortest(e.accuracy())},
                  {"qp_residual", JsonValue::shortest(e.residual)},
                  {"layers", layers(e)}});
  }
  if (test != nullptr) {
    line.members({{"test_loss", JsonValue::shortest(test->loss)},
                  {"test_accuracy", JsonValue::shortest(test->accuracy())}});
  }
  return line.member("best", report.best).text();
}

std::string epoch_csv_header() {
  return "seed,epoch,step,train_loss,train_accuracy,rate,gradient_norm,seconds,"
         "validation_loss,validation_accuracy,test_loss,test_accuracy,best";
}

std::string epoch_csv(const train::EpochReport& report,
                      const train::Evaluation* test,
                      std::int64_t seed,
                      double seconds) {
  const train::StepReport& t = report.training;
  std::string row = format(seed) + "," + format(t.epoch) + "," + format(t.step);
  for (const double v : {t.loss, t.accuracy, t.rate, t.gradient_norm, seconds}) {
    row += "," + format(v);
  }
  for (const train::Evaluation* e :
       {report.held_out.examples > 0 ? &report.held_out : nullptr, test}) {
    row += e == nullptr ? ",," : "," + format(e->loss) + "," + format(e->accuracy());
  }
  return row + (report.best ? ",1" : ",0");
}

std::string epoch_text(const train::EpochReport& report,
                       const train::Evaluation* test,
                       int epochs,
                       double seconds) {
  const auto share = [](double value) { return format_fixed(100.0 * value, 2) + " %"; };
  std::string text = "epoch " + format(report.training.epoch) + "/" + format(epochs) +
                     "  loss " + format_fixed(report.training.loss, 4) + "  accuracy " +
                     share(report.training.accuracy);
  if (report.held_out.examples > 0) {
    text += "  held out " + share(report.held_out.accuracy());
  }
  if (test != nullptr) {
    text += "  test " + share(test->accuracy());
  }
  return text + "  " + format_fixed(seconds, 1) + " s" + (report.best ? "  best" : "");
}

std::string json(const std::string& type,
                 const train::Evaluation& held_out,
                 std::int64_t seed) {
  return JsonObject{{"type", type},
                    {"seed", seed},
                    {"epoch", 0},
                    {"validation_loss", JsonValue::shortest(held_out.loss)},
                    {"validation_accuracy", JsonValue::shortest(held_out.accuracy())}}
      .text();
}

}  // namespace oa::report
