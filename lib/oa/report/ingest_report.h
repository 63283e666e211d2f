#pragma once

#include "oa/cim/ingest_totals.h"

#include <string>

namespace oa::io {

/// What came back, as a table for a person.
[[nodiscard]] std::string ingest_text(const cim::Account& account);

/// The same as one JSON object; oa-cim-ingest(1) lists its members.
[[nodiscard]] std::string ingest_json(const cim::Account& account);

/// What the machine said of the tasks of an image, as JSON for the metadata of its
/// frame.
[[nodiscard]] std::string provenance_json(const cim::SubmittedImage& image,
                                          const cim::Submission& submission,
                                          const cim::Matcher& matcher);

}  // namespace oa::io
