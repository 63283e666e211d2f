#include "app/train/log.h"

#include "oa/base/number.h"
#include "oa/report/training_report.h"

#include <vector>

#include <sys/stat.h>

namespace oa::app {
namespace {

bool has_content(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && status.st_size > 0;
}

}  // namespace

TrainingLog::TrainingLog(const LogNames& names, bool append)
    : names_(names),
      append_(append) {
  if (!names_.json.empty()) {
    json_.emplace(names_.json, append);
  }
  if (!names_.csv.empty()) {
    const bool header = !append || !has_content(names_.csv);
    csv_.emplace(names_.csv, append);
    if (header) {
      csv_->line(report::epoch_csv_header());
    }
  }
}

void TrainingLog::begin(std::int64_t seed, bool of_many) {
  seed_ = seed;
  if (!names_.tensorboard.empty()) {
    events_.emplace(names_.tensorboard + (of_many ? "/seed." + format(seed) : ""),
                    append_);
  }
}

void TrainingLog::initial(const InitialModel& model) {
  if (!json_ || append_) {
    return;
  }
  for (const InitialModel::Stage& stage : model.stages) {
    json_->line(report::json(stage.name, stage.evaluation, seed_));
  }
}

void TrainingLog::step(const train::StepReport& report, double seconds) {
  if (json_) {
    json_->line(report::json(report, seed_, seconds));
  }
  if (events_) {
    const std::vector<io::Scalar> scalars{
        {"train/loss", report.loss},
        {"train/accuracy", report.accuracy},
        {"train/rate", report.rate},
        {"train/gradient_norm", report.gradient_norm}};
    events_->write(report.step, seconds, scalars);
  }
}

void TrainingLog::epoch(const train::EpochReport& report,
                        const train::Evaluation* test,
                        double seconds) {
  if (json_) {
    json_->line(report::json(report, test, seed_, seconds));
  }
  if (csv_) {
    csv_->line(report::epoch_csv(report, test, seed_, seconds));
  }
  if (events_) {
    std::vector<io::Scalar> scalars{{"epoch/train_loss", report.training.loss},
                                    {"epoch/train_accuracy", report.training.accuracy}};
    if (report.held_out.examples > 0) {
      scalars.push_back({"epoch/validation_loss", report.held_out.loss});
      scalars.push_back({"epoch/validation_accuracy", report.held_out.accuracy()});
    }
    if (test != nullptr) {
      scalars.push_back({"epoch/test_loss", test->loss});
      scalars.push_back({"epoch/test_accuracy", test->accuracy()});
    }
    events_->write(report.training.step, seconds, scalars);
  }
}

}  // namespace oa::app
