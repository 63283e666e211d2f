#pragma once

#include "app/context.h"
#include "oa/cim/ingest_totals.h"
#include "oa/io/bytes/safe_folder.h"
#include "oa/io/machine/manifest.h"
#include "oa/io/machine/result_files.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oa::app {

/// The manifest and the results to read, and settings.
struct IngestOptions {
  std::vector<std::string>
      files;  ///< the manifest (unless `matrices` is set), then results
  std::string matrices;
  std::string missing = field_text(cim::Missing::Fail);
  std::string choose = field_text(cim::Choose::Submitted);
  int top = 1;
  std::string rename_to;
  bool dry_run = false;
  bool tasks = false;  ///< print a table with a line for each task
};

/// Returns the text of a PDF file; throws InputError, whose message begins with
/// `where`.  A parameter, so that only one tool links the PDF reader.
using PdfText =
    std::function<std::string(std::string_view bytes, const std::string& where)>;

/// Matches a machine's results with the submitted matrices, and assembles solutions.
class Ingestion {
 public:
  Ingestion(const IngestOptions& options, Context& context, PdfText pdf_text);

  /// Reads and checks each result file, finds its task,
  /// and renames the file if requested.
  void read_results();

  /// True if the output is lines of JSON, because single problems were submitted.
  [[nodiscard]] bool answers_are_lines() const;

  /// Proves optima, and writes solutions to `output`, unless it is null or missing
  /// results forbid it.  Prints the table of tasks if requested.
  void write(io::Output* output);

  /// Writes the summary.
  void report();

  [[nodiscard]] Exit status() const;

 private:
  struct File;
  struct Piece;
  void take(File file);
  void warn_of_names();
  void copy(const io::ResultFile& file, std::int64_t task);
  [[nodiscard]] Piece assemble(std::size_t i) const;
  using PutImage = std::function<void(Piece piece)>;
  void assemble_all(const PutImage& put);
  void write_answers(io::Output& output);
  void write_images(io::StreamWriter* writer);
  void write_lines(io::Output& output);
  void write_example(const std::vector<Piece>& heads, io::StreamWriter& writer);

  const IngestOptions& options_;
  Context& context_;
  PdfText pdf_text_;
  cim::AssembleSettings settings_;
  io::Manifest manifest_;
  cim::Matcher matcher_;
  io::ResultFiles files_;
  std::optional<io::SafeFolder> rename_to_;
  std::optional<io::Output> table_;  // a line for each task
  cim::IngestTotals account_;
  bool left_out_ = false;  // images lack solutions, or files kept their names
};

}  // namespace oa::app
