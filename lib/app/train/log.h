#pragma once

#include "app/train/initial_model.h"
#include "oa/io/bytes/log_file.h"
#include "oa/io/table/event_file.h"
#include "oa/train/trainer.h"

#include <cstdint>
#include <optional>
#include <string>

namespace oa::app {

/// Files to which a training adds while it goes on; empty: none.
struct LogNames {
  std::string json;         ///< an object for every 100 steps and every epoch
  std::string csv;          ///< a row for every epoch
  std::string tensorboard;  ///< a folder of events
};

/// Those files.
class TrainingLog {
 public:
  /// With `append`, behind what they have.
  TrainingLog(const LogNames& names, bool append);

  /// What follows is of this training; with `of_many` it has a folder of its own in
  /// that of events.
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
