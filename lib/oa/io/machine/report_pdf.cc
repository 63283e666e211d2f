#include "oa/io/machine/report_pdf.h"

#include "oa/base/number.h"
#include "oa/base/utf8.h"
#include "oa/io/machine/cim_log.h"

#include <array>
#include <string_view>

namespace oa::io {
namespace {

constexpr int kLinesOfPage = 52;
constexpr std::size_t kNumbersOfLine = 46;

std::string hex4(unsigned value) {
  std::array<char, 4> digits{'0', '0', '0', '0'};
  for (int i = 3; i >= 0; --i, value >>= 4) {
    digits[static_cast<std::size_t>(i)] = "0123456789ABCDEF"[value & 15];
  }
  return {digits.begin(), digits.end()};
}

/// Encodes text for the font: UTF-16 in hexadecimal.
std::string codes(std::string_view text) {
  std::string hex;
  for (const char32_t sign : code_points(text)) {
    hex += hex4(sign < 0x10000 ? sign : kReplacement);
  }
  return hex;
}

/// Collects the objects of a PDF file and their offsets.
class Pdf {
 public:
  Pdf() : text_("%PDF-1.4\n%\xe2\xe3\xcf\xd3\n") {}

  /// Adds an object.  Objects are numbered from 1.
  void object(const std::string& body) {
    offsets_.push_back(text_.size());
    text_ += std::to_string(offsets_.size()) + " 0 obj\n" + body + "\nendobj\n";
  }
  void stream(const std::string& content) {
    object("<< /Length " + std::to_string(content.size()) + " >>\nstream\n" + content +
           "\nendstream");
  }

  std::string finish() {
    const std::size_t table = text_.size();
    text_ +=
        "xref\n0 " + std::to_string(offsets_.size() + 1) + "\n0000000000 65535 f \n";
    for (const std::size_t offset : offsets_) {
      const std::string digits = std::to_string(offset);
      text_ += std::string(10 - digits.size(), '0') + digits + " 00000 n \n";
    }
    text_ += "trailer\n<< /Size " + std::to_string(offsets_.size() + 1) +
             " /Root 1 0 R >>\nstartxref\n" + std::to_string(table) + "\n%%EOF\n";
    return std::move(text_);
  }

 private:
  std::string text_;
  std::vector<std::size_t> offsets_;
};

/// Maps each code of the font to the Unicode character of that number.
constexpr std::string_view kToUnicode =
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n"
    "/CMapName /Oa-UTF16 def\n/CMapType 2 def\n"
    "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n"
    "1 beginbfrange\n<0000> <FFFF> <0000>\nendbfrange\n"
    "endcmap\nend\nend";

std::string page_content(const std::vector<std::string>& lines,
                         std::size_t first,
                         std::size_t last) {
  std::string text = "BT\n/F1 8 Tf\n14 TL\n40 800 Td\n";
  for (std::size_t i = first; i < last; ++i) {
    text += "<" + codes(lines[i]) + "> Tj T*\n";
  }
  return text + "ET";
}

void put_vector(const machine::Bits& x, bool spins, std::vector<std::string>& lines) {
  std::string line = "[";
  for (std::size_t i = 0; i < x.size(); ++i) {
    line += x[i] != 0 ? "1" : spins ? "-1" : "0";
    line += i + 1 == x.size() ? "]" : ",";
    if (i + 1 < x.size() && (i + 1) % kNumbersOfLine == 0) {
      lines.push_back(std::move(line));
      line.clear();
    } else if (i + 1 < x.size()) {
      line += " ";
    }
  }
  lines.push_back(std::move(line));
}

}  // namespace

std::vector<std::string> report_lines(const machine::Report& report,
                                      const std::vector<machine::Shot>& shots,
                                      bool spins) {
  std::vector<std::string> lines{"任务结果报告",
                                 "任务状态",
                                 "创建时间",
                                 "结束时间",
                                 report.status,
                                 report.created,
                                 report.finished,
                                 "任务概览",
                                 "任务名称：" + report.name,
                                 "任务ID：" + report.id,
                                 "量子计算机：" + report.machine,
                                 "文件名称：" + report.file,
                                 "任务结果",
                                 "结束时间：" + report.finished};
  if (report.run_ms) {
    lines.push_back("运行时长：" + format_fixed(*report.run_ms, 4) + "ms");
  }
  if (!shots.empty()) {
    lines.emplace_back("输出解向量");
  }
  for (std::size_t k = 0; k < shots.size(); ++k) {
    lines.push_back("结果" + std::to_string(k + 1) +
                    " ： QUBO值 = " + cim_number(shots[k].energy));
    put_vector(shots[k].x, spins, lines);
  }
  return lines;
}

std::string report_pdf(const machine::Report& report,
                       const std::vector<machine::Shot>& shots,
                       bool spins) {
  constexpr std::size_t kBefore = 5;  // objects before the pages
  const std::vector<std::string> lines = report_lines(report, shots, spins);
  const std::size_t pages = (lines.size() + kLinesOfPage - 1) / kLinesOfPage;
  std::string kids;
  for (std::size_t p = 0; p < pages; ++p) {
    kids += std::to_string(kBefore + 1 + 2 * p) + " 0 R ";
  }
  Pdf pdf;
  pdf.object("<< /Type /Catalog /Pages 2 0 R >>");
  pdf.object("<< /Type /Pages /Kids [" + kids + "] /Count " + std::to_string(pages) +
             " >>");
  pdf.object(
      "<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /Identity-H "
      "/DescendantFonts [4 0 R] /ToUnicode 5 0 R >>");
  pdf.object(
      "<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /DW 600 "
      "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> "
      "/FontDescriptor << /Type /FontDescriptor /FontName /STSong-Light /Flags 4 "
      "/FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 900 /Descent -200 "
      "/CapHeight 700 /StemV 80 >> >>");
  pdf.stream(std::string(kToUnicode));
  for (std::size_t p = 0; p < pages; ++p) {
    pdf.object(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 842] /Resources << /Font << "
        "/F1 3 0 R >> >> /Contents " +
        std::to_string(kBefore + 2 + 2 * p) + " 0 R >>");
    const std::size_t first = p * kLinesOfPage;
    pdf.stream(
        page_content(lines, first, std::min(lines.size(), first + kLinesOfPage)));
  }
  return pdf.finish();
}

}  // namespace oa::io
