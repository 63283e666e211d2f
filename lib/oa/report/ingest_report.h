#pragma once

#include "oa/cim/ingest_totals.h"

#include <string>

namespace oa::report {

/// A table of what came back.
[[nodiscard]] std::string ingest_text(const cim::IngestTotals& account);

/// The same as one JSON object; oa-cim-ingest(1) lists its members.
[[nodiscard]] std::string ingest_json(const cim::IngestTotals& account);

/// The names of the columns of task_row().
[[nodiscard]] std::string task_header(bool files);

/// A line about a task, with the energies of its problems.  `single` is its single
/// problem, or null.
[[nodiscard]] std::string task_row(const cim::TaskOutcome& task,
                                   const machine::Single* single);

/// The machine's reports on the tasks of an image, as JSON for the metadata of its
/// frame.
[[nodiscard]] std::string provenance_json(const machine::SubmittedImage& image,
                                          const machine::Submission& submission,
                                          const cim::Matcher& matcher);

}  // namespace oa::report
