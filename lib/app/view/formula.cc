// The formulas of the layers of a model.
#include "app/view/parts.h"
#include "oa/base/number.h"
#include "oa/io/tensor/model_io.h"
#include "oa/model/architecture.h"

#include <algorithm>

namespace oa::app {
namespace {

using attention::FormulaLine;

std::string shape_of(const FormulaLine& line) {
  return io::to_string({line.rows, line.cols});
}

JsonObject json_of(const FormulaLine& line, const parts::Layout& layout) {
  JsonArray parameters;
  for (const int tensor : line.tensors) {
    parameters.element(JsonObject{{"name", layout[tensor].name},
                                  {"shape", JsonValue(layout[tensor].shape)}});
  }
  JsonObject settings;
  for (const attention::Setting& setting : line.settings) {
    settings.member(setting.name, JsonValue::shortest(setting.value));
  }
  return {{"name", line.name},
          {"operation", line.operation},
          {"inputs", JsonValue(line.inputs)},
          {"shape", JsonValue(std::vector{line.rows, line.cols})},
          {"parameters", parameters},
          {"settings", settings}};
}

/// "gated_scan(x1, x2, heads=2)"
std::string call_of(const FormulaLine& line) {
  std::string all;
  const auto add = [&](const std::string& text) {
    all += (all.empty() ? "" : ", ") + text;
  };
  for (const std::string& input : line.inputs) {
    add(input);
  }
  for (const attention::Setting& setting : line.settings) {
    add(std::string(setting.name) + "=" + brief(setting.value));
  }
  return std::string(line.operation) + "(" + all + ")";
}

std::string text_of(std::span<const FormulaLine> lines, const parts::Layout& layout) {
  std::size_t name = 0;
  std::size_t shape = 0;
  std::size_t call = 0;
  for (const FormulaLine& line : lines) {
    name = std::max(name, line.name.size());
    shape = std::max(shape, shape_of(line).size());
    call = std::max(call, line.tensors.empty() ? 0 : call_of(line).size());
  }
  std::string all;
  for (const FormulaLine& line : lines) {
    all += "  " + padded(line.name, name) + " " + padded(shape_of(line), shape) + " = ";
    all += line.tensors.empty() ? call_of(line) : padded(call_of(line), call);
    for (const int tensor : line.tensors) {
      all += "  " + layout[tensor].name + " " + io::to_string(layout[tensor].shape);
    }
    all += "\n";
  }
  return all;
}

}  // namespace

void write_formula(io::Input& input, io::Output& output, bool json) {
  const model::Config config =
      io::read_config(io::read_safetensors_file(input), input.name());
  const model::Architecture architecture(config);
  const std::vector<attention::KindSpec> kinds = model::attention_layers(config);
  JsonArray layers;
  for (std::size_t l = 0; l < architecture.layers.size(); ++l) {
    const int tokens = config.tokens();
    const std::vector<FormulaLine> lines =
        architecture.layers[l].attention->formula(tokens);
    if (!json) {
      output.write("layer " + std::to_string(l) + ": " + kinds[l].text() + ", x " +
                   io::to_string({tokens, l == 0 ? config.token_width() : config.dim}) +
                   "\n" + text_of(lines, architecture.layout));
      continue;
    }
    JsonArray operations;
    for (const FormulaLine& line : lines) {
      operations.element(json_of(line, architecture.layout));
    }
    layers.element(JsonObject{{"layer", l},
                              {"kind", kinds[l].text()},
                              {"tokens", tokens},
                              {"operations", operations}});
  }
  if (json) {
    output.write(JsonObject{{"type", "formula"}, {"layers", layers}}.text() + "\n");
  }
}

}  // namespace oa::app
