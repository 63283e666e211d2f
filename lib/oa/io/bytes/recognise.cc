#include "oa/io/bytes/recognise.h"

#include "oa/base/number.h"
#include "oa/io/bytes/lines.h"

#include <algorithm>
#include <array>

namespace oa::io {
namespace {

struct Known {
  std::string_view magic;
  std::string_view what;
};

using namespace std::string_view_literals;

constexpr std::array kKnown{
    Known{"\x89PNG\r\n\x1a\n"sv, "a PNG picture"},
    Known{"\xff\xd8\xff"sv, "a JPEG picture"},
    Known{"GIF8"sv, "a GIF picture (PNG, JPEG and PGM are read)"},
    Known{"\x89HDF\r\n\x1a\n"sv, "an HDF5 file (oa-model(5) says how to save a model)"},
    Known{"%PDF"sv, "a PDF file (oa-cim-ingest reads reports of a machine)"},
    Known{"\x93NUMPY"sv,
          "a numpy array (oa-view prints it; oa-anneal and oa-cim-pack read matrices)"},
    Known{"DIMODBQM"sv,
          "a binary quadratic model of D-Wave (oa-anneal and oa-cim-pack read it)"},
    Known{"\0\0\x08\x03"sv,
          "pictures as IDX (oa-qubo and oa-score read them, oa-train their folder)"},
    Known{"\0\0\x08\x01"sv, "labels as IDX (they belong beside the images)"},
    Known{"\x1f\x8b"sv, "incomplete gzip data"},
    Known{"\xfd"
          "7zXZ\0"sv,
          "data compressed twice"},
    Known{"\x28\xb5\x2f\xfd"sv, "data compressed twice"},
    Known{"7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
    Known{"\x7f"
          "ELF"sv,
          "a program"},
    Known{"%%MatrixMarket"sv,
          "a matrix as MatrixMarket (oa-anneal and oa-cim-pack read it)"},
    Known{"<!DOCTYPE"sv, "a web page"},
    Known{"<html"sv, "a web page"},
};

/// Describes a zip archive by the name of its first member.
std::string_view zip(std::string_view start) {
  const std::string_view names = start.substr(0, 512);
  if (names.find("/data.pkl") != names.npos || names.find("pickle") != names.npos) {
    return "a model as PyTorch saves it (oa-model(5) says how to convert it)";
  }
  if (names.find(".npy") != names.npos) {
    return "arrays of numpy or scipy (oa-anneal and oa-cim-pack read matrices)";
  }
  return "a zip archive (oa-cim-ingest reads results in archives)";
}

/// A pickle begins with its protocol, 2 to 5.
bool is_pickle(std::string_view start) {
  return start.size() > 1 && start[0] == '\x80' && start[1] >= 2 && start[1] <= 5;
}

/// PBM, PGM or PPM, as text or as bytes.
bool is_pnm(std::string_view start) {
  constexpr std::string_view kSpace = " \t\n\r";
  return start.size() > 2 && start[0] == 'P' && start[1] >= '1' && start[1] <= '6' &&
         kSpace.find(start[2]) != kSpace.npos;
}

bool is_text(std::string_view start) {
  return std::ranges::all_of(start, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    constexpr int kFirstInvalid = 0xf8;  // UTF-8 has no bytes from here on
    return (byte >= 0x20 && byte < kFirstInvalid) || c == '\n' || c == '\r' ||
           c == '\t';
  });
}

std::string_view json(std::string_view start) {
  if (start.find("\"quboValue\"") != start.npos) {
    return "a log of a machine (oa-cim-ingest reads it)";
  }
  if (looks_like_result(start)) {
    return "a result (oa-anneal --verify, oa-anneal --join and oa-heatmap targets read "
           "it)";
  }
  constexpr std::array kMembers{
      "_bias"sv, "\"linear\""sv, "\"quadratic\""sv, "\"J\""sv, "\"Q\""sv};
  if (std::ranges::any_of(kMembers, [&](std::string_view member) {
        return start.find(member) != start.npos;
      })) {
    return "a problem as JSON (oa-anneal and oa-cim-pack read it)";
  }
  return "JSON text";
}

std::string_view text(std::string_view start) {
  std::string_view rest = start;
  const std::string_view line = take_line(rest);
  const std::string_view word = Words(line).next();
  if (word.starts_with('{') || word.starts_with('[')) {
    return json(start);
  }
  const bool number = parse_double(word).has_value();
  if (line.find("logits_") != line.npos || line.find("logit_") != line.npos ||
      line.find("probability_") != line.npos) {
    return "a table of predictions (oa-heatmap confusion and oa-score --compare read "
           "it)";
  }
  const bool digits = line.find_first_of("0123456789") != line.npos;
  if (digits && line.find(',') != line.npos) {
    return "comma-separated text (oa-anneal and oa-cim-pack read matrices)";
  }
  return number || word == "p" || word == "c"
             ? "numbers as text (oa-anneal and oa-cim-pack read single problems)"
             : "text";
}

}  // namespace

bool looks_like_safetensors(std::string_view start) {
  return start.size() >= 9 && start[8] == '{' &&
         start.substr(4, 4) == std::string_view("\0\0\0\0", 4);
}

bool looks_like_result(std::string_view start) {
  return start.find("\"energy\":") != start.npos &&
         (start.find("\"x\":[") != start.npos || start.find("\"x\": [") != start.npos ||
          start.find("\"proved_optimal\":") != start.npos);
}

std::string recognised(std::span<const std::byte> bytes) {
  const std::string_view start = as_text(bytes);
  for (const Known& known : kKnown) {
    if (start.starts_with(known.magic)) {
      return std::string(known.what);
    }
  }
  if (is_pnm(start)) {
    return "a PNM picture";
  }
  if (is_pickle(start)) {
    return "a Python pickle (oa-model(5) says how to save a model)";
  }
  if (start.starts_with("PK\x03\x04")) {
    return std::string(zip(start));
  }
  if (start.size() > 262 && start.substr(257, 5) == "ustar") {
    return "a tar archive (oa-cim-ingest reads results in archives)";
  }
  if (!start.empty() && is_text(start)) {
    return std::string(text(without_mark(start)));
  }
  return {};
}

bool looks_like_text(std::span<const std::byte> start) {
  return is_text(as_text(start));
}

}  // namespace oa::io
