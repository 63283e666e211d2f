#pragma once

#include "app/train/initial_model.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/table/event_file.h"
#include "oa/train/trainer.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// The log files of a training; empty names: no log.
struct LogNames {
  std::string json;         ///< an object for each 100 steps and each epoch
  std::string csv;          ///< a row for each epoch
  std::string tensorboard;  ///< a folder of event files
};

class TrainingLog {
 public:
  /// Opens the files; with `append`, keeps their content.
  TrainingLog(const LogNames& names, bool append);

  /// Starts the log of the training with `seed`.
  /// If `of_many`, events of each seed get a subfolder.
  void begin(std::int64_t seed, bool of_many);

  void initial(const InitialModel& model);
  void step(const train::StepReport& report, double seconds);
  /// Logs an epoch; `test` may be null.
  void epoch(const train::EpochReport& report,
             const train::Evaluation* test,
             double seconds);

 private:
  LogNames names_;
  bool append_;
  std::optional<io::LogFile> json_;
  std::optional<io::LogFile> csv_;
  std::optional<io::EventFiles> events_;
  std::int64_t seed_ = 0;
};

}  // namespace oa::app
