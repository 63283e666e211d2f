#include "oa/io/quadratic/samples.h"

#include "oa/base/json_text.h"
#include "oa/base/number.h"
#include "oa/io/tensor/npy.h"

#include <algorithm>

namespace oa::io {
namespace {

int value_of(std::uint8_t bit, const qubo::Quadratic& f) {
  return bit != 0 ? 1 : f.vartype == qubo::Vartype::Spin ? -1 : 0;
}

void write_lines(Output& output,
                 const std::string& file,
                 const std::vector<Sample>& samples,
                 const qubo::Quadratic& f) {
  for (const Sample& s : samples) {
    JsonArray x;
    for (const std::uint8_t bit : s.x) {
      x.element(value_of(bit, f));
    }
    output.write(JsonObject{{"file", JsonValue::of_path(file)},
                            {"energy", JsonValue::shortest(s.energy)},
                            {"count", s.count},
                            {"first", s.first},
                            {"x", x}}
                     .text() +
                 "\n");
  }
}

void write_csv(Output& output,
               const std::vector<Sample>& samples,
               const qubo::Quadratic& f) {
  std::string text = "energy,count,first";
  for (int i = 0; i < f.size(); ++i) {
    text += ",x" + format(i);
  }
  output.write(text + "\n");
  for (const Sample& s : samples) {
    text = format(s.energy) + "," + format(s.count) + "," + format(s.first);
    for (const std::uint8_t bit : s.x) {
      text += "," + format(value_of(bit, f));
    }
    output.write(text + "\n");
  }
}

void write_array(Output& output,
                 const std::vector<Sample>& samples,
                 const qubo::Quadratic& f) {
  std::vector<double> rows;
  for (const Sample& s : samples) {
    rows.push_back(s.energy);
    rows.push_back(static_cast<double>(s.count));
    rows.push_back(static_cast<double>(s.first));
    for (const std::uint8_t bit : s.x) {
      rows.push_back(value_of(bit, f));
    }
  }
  write_npy(output,
            Dtype::F64,
            {std::ssize(samples), 3 + f.size()},
            std::as_bytes(std::span(rows)));
}

}  // namespace

void Samples::add(std::span<const std::uint8_t> x) {
  Seen& seen = seen_[std::string(x.begin(), x.end())];
  seen.first = seen.count == 0 ? reads_ : seen.first;
  ++seen.count;
  ++reads_;
}

std::vector<Sample> Samples::ranked(const qubo::Model& model) const {
  std::vector<Sample> all;
  all.reserve(seen_.size());
  for (const auto& [bytes, seen] : seen_) {
    Sample& s = all.emplace_back();
    s.x.assign(bytes.begin(), bytes.end());
    s.energy = qubo::exact_value(model, s.x).value();
    s.count = seen.count;
    s.first = seen.first;
  }
  std::ranges::sort(all, [&](const Sample& a, const Sample& b) {
    return a.energy != b.energy ? qubo::better(model.f.sense, a.energy, b.energy)
                                : a.x < b.x;
  });
  return all;
}

SampleFormat sample_format(const std::string& path) {
  return path.ends_with(".csv")   ? SampleFormat::Csv
         : path.ends_with(".npy") ? SampleFormat::Npy
                                  : SampleFormat::Lines;
}

void write_samples(Output& output,
                   SampleFormat format,
                   const std::string& file,
                   const std::vector<Sample>& samples,
                   const qubo::Quadratic& f) {
  switch (format) {
    case SampleFormat::Lines: write_lines(output, file, samples, f); break;
    case SampleFormat::Csv: write_csv(output, samples, f); break;
    case SampleFormat::Npy: write_array(output, samples, f); break;
  }
}

}  // namespace oa::io
