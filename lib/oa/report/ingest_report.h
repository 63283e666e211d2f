#pragma once

#include "oa/cim/ingest_totals.h"

#include <string>

namespace oa::report {

/// Formats the results of a machine as a table.
[[nodiscard]] std::string ingest_text(const cim::IngestTotals& account);

/// Formats the results as a JSON object, described in oa-cim-ingest(1).
[[nodiscard]] std::string ingest_json(const cim::IngestTotals& account);

/// Formats the column names for task_row().
[[nodiscard]] std::string task_header(bool files);

/// Formats a line about a task, with energies of its problems.
/// `single` is its single problem, or null.
[[nodiscard]] std::string task_row(const cim::TaskOutcome& task,
                                   const machine::Single* single);

/// Formats the machine's reports on the tasks of an image as JSON,
/// for the frame's metadata.
[[nodiscard]] std::string provenance_json(const machine::SubmittedImage& image,
                                          const machine::Submission& submission,
                                          const cim::Matcher& matcher);

}  // namespace oa::report
