#include "oa/io/machine/pdf_text.h"

#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/io/bytes/subprocess.h"

#include <algorithm>
#include <cstddef>

#include <unistd.h>

namespace oa::io {
namespace {

constexpr const char* kProgram = "/usr/bin/pdftotext";
constexpr std::size_t kMaxText = std::size_t{64} << 20;

/// Explains why pdftotext gave no text.
std::string refusal(const Answer& answer) {
  if (answer.kind == AnswerKind::Late) {
    return "a PDF that pdftotext cannot read in " + format(kMaxPdfSeconds) + " s";
  }
  if (answer.kind == AnswerKind::Crashed) {
    return "a PDF that pdftotext crashes on";
  }
  const auto says = [&](std::string_view words) {
    return answer.text.find(words) != answer.text.npos;
  };
  return says("too much text")        ? "a PDF with over 64 MiB of text"
         : says("Incorrect password") ? "encrypted PDF"
         : says("Wrong page range")   ? "a PDF without text"
                                      : "damaged PDF";
}

}  // namespace

std::string pdf_text(std::string_view bytes, const std::string& where) {
  if (::access(kProgram, X_OK) != 0) {
    throw IoError(where + ": a PDF report, and " + kProgram +
                  " is missing (of the package poppler-utils)");
  }
  const std::string last_page = format(kMaxPdfPages + 1);
  Answer answer = run_program(
      {.words =
           {kProgram, "-layout", "-enc", "UTF-8", "-l", last_page.c_str(), "-", "-"},
       .most_seconds = kMaxPdfSeconds,
       .most_bytes = kMaxText},
      bytes);
  if (answer.kind == AnswerKind::Failed) {
    throw IoError(where + ": " + answer.text);
  }
  if (answer.kind != AnswerKind::Text) {
    throw InputError(where + ": " + refusal(answer));
  }
  std::string& text = answer.text;
  if (std::ranges::count(text, '\f') > kMaxPdfPages) {
    throw InputError(where + ": a PDF of over " + format(kMaxPdfPages) + " pages");
  }
  if (text.find_first_not_of(" \n\f\r\t") == text.npos) {
    throw InputError(where + ": a PDF without text");
  }
  if (!text.ends_with('\f')) {  // pdftotext ends each page by \f
    throw IoError(where + ": pdftotext could not write all of its text");
  }
  std::ranges::replace(text, '\f', '\n');
  return std::move(text);
}

}  // namespace oa::io
