#pragma once

#include "oa/cim/ingest_totals.h"

#include <string>

namespace oa::report {

/// What came back, as a table for a person.
[[nodiscard]] std::string ingest_text(const cim::IngestTotals& account);

/// The same as one JSON object; oa-cim-ingest(1) lists its members.
[[nodiscard]] std::string ingest_json(const cim::IngestTotals& account);

/// The names of the columns of task_row().
[[nodiscard]] std::string task_header(bool files);

/// A task as one line, in the energies of its problems.  `single` is its problem, if
/// that is a single one, or null.
[[nodiscard]] std::string task_row(const cim::TaskOutcome& task,
                                   const machine::Single* single);

/// What the machine said of the tasks of an image, as JSON for the metadata of its
/// frame.
[[nodiscard]] std::string provenance_json(const machine::SubmittedImage& image,
                                          const machine::Submission& submission,
                                          const cim::Matcher& matcher);

}  // namespace oa::report
