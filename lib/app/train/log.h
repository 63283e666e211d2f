#pragma once

#include "app/train/initial_model.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/table/event_file.h"
#include "oa/train/trainer.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// Log files of a training; empty: none.
struct LogNames {
  std::string json;         ///< an object for every 100 steps and every epoch
  std::string csv;          ///< a row for every epoch
  std::string tensorboard;  ///< a folder of events
};

class TrainingLog {
 public:
  /// With `append`, adds to existing files.
  TrainingLog(const LogNames& names, bool append);

  /// Begins the log of the training with `seed`.  With `of_many` its events get their
  /// own subfolder.
  void begin(std::int64_t seed, bool of_many);

  void initial(const InitialModel& model);
  void step(const train::StepReport& report, double seconds);
  /// `test` may be null.
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
