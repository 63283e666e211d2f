// The formulas of the layers of a model.
#include "oa/attention/formula/formula.h"

#include "app/view/parts.h"
#include "oa/base/index.h"
#include "oa/io/tensor/model_io.h"

#include <algorithm>
#include <array>
#include <memory>

namespace oa::app {
namespace {

using attention::Formula;
using attention::OperationForm;

/// The formula of a layer, with names of its values: "x", the tokens, tensors, and
/// "x1", "x2", ... of operations.
struct Named {
  Named(const model::Architecture& architecture, int layer, int tokens)
      : formula(architecture.layers[at(layer)].attention->formula(tokens)),
        layout(architecture.layout) {
    for (const Formula::Node& node : formula->nodes()) {
      names.push_back(names.empty()      ? "x"
                      : node.tensor >= 0 ? layout[node.tensor].name
                                         : "x" + std::to_string(++outputs));
    }
  }
  [[nodiscard]] std::vector<std::string> inputs(const OperationForm& form) const {
    std::vector<std::string> all;
    for (const attention::Value& value : form.in) {
      all.push_back(names[at(value.id)]);
    }
    return all;
  }

  std::unique_ptr<const Formula> formula;
  const parts::Layout& layout;
  std::vector<std::string> names;
  int outputs = 0;
};

JsonObject settings_of(const attention::Operation& operation) {
  JsonObject all;
  for (const auto& settings : {operation.form().settings, operation.tables()}) {
    for (const attention::Setting& setting : settings) {
      all.member(setting.name, setting.value);
    }
  }
  return all;
}

JsonArray json_of(const Named& named) {
  JsonArray operations;
  for (const Formula::Applied& applied : named.formula->operations()) {
    const OperationForm& form = applied.operation->form();
    JsonArray parameters;
    for (const int tensor : applied.tensors) {
      const parts::Tensor& t = named.layout[tensor];
      parameters.element(JsonObject{{"name", t.name}, {"shape", JsonValue(t.shape)}});
    }
    operations.element(
        JsonObject{{"name", named.names[at(applied.output)]},
                   {"operation", form.name},
                   {"inputs", JsonValue(named.inputs(form))},
                   {"shape", JsonValue(std::vector{form.rows, form.cols})},
                   {"parameters", parameters},
                   {"settings", settings_of(*applied.operation)}});
  }
  return operations;
}

/// "gated_scan(x1, x2, heads=2)"
std::string call_of(const Named& named, const OperationForm& form) {
  std::string all;
  const auto add = [&](const std::string& text) {
    all += (all.empty() ? "" : ", ") + text;
  };
  for (const std::string& input : named.inputs(form)) {
    add(input);
  }
  for (const attention::Setting& setting : form.settings) {
    add(std::string(setting.name) + "=" + setting.value.text());
  }
  return std::string(form.name) + "(" + all + ")";
}

std::string text_of(const Named& named) {
  std::vector<std::array<std::string, 4>> lines;  // name, shape, call, tensors
  std::array<std::size_t, 3> widths{};
  for (const Formula::Applied& applied : named.formula->operations()) {
    const OperationForm& form = applied.operation->form();
    auto& line = lines.emplace_back(
        std::array<std::string, 4>{named.names[at(applied.output)],
                                   io::to_string({form.rows, form.cols}),
                                   call_of(named, form)});
    for (const int tensor : applied.tensors) {
      const parts::Tensor& t = named.layout[tensor];
      line[3] += "  " + t.name + " " + io::to_string(t.shape);
    }
    for (std::size_t k = 0; k < widths.size(); ++k) {
      const bool ends = k == 2 && line[3].empty();
      widths[k] = std::max(widths[k], ends ? 0 : line[k].size());
    }
  }
  std::string all;
  for (const auto& [name, shape, call, tensors] : lines) {
    all += "  " + padded(name, widths[0]) + " " + padded(shape, widths[1]) + " = " +
           (tensors.empty() ? call : padded(call, widths[2]) + tensors) + "\n";
  }
  return all;
}

}  // namespace

JsonArray formulas_of(const model::Architecture& architecture, int tokens) {
  const std::vector<attention::KindSpec> kinds =
      model::attention_layers(architecture.config);
  JsonArray layers;
  for (int l = 0; l < std::ssize(kinds); ++l) {
    layers.element(JsonObject{{"layer", l},
                              {"kind", kinds[at(l)].text()},
                              {"tokens", tokens},
                              {"operations", json_of({architecture, l, tokens})}});
  }
  return layers;
}

void write_formula(io::Input& input, io::Output& output, bool json) {
  const model::Config config =
      io::read_config(io::read_safetensors_file(input), input.name());
  const model::Architecture architecture(config);
  const int tokens = config.tokens();
  if (json) {
    output.write(
        JsonObject{{"type", "formula"}, {"layers", formulas_of(architecture, tokens)}}
            .text() +
        "\n");
    return;
  }
  const std::vector<attention::KindSpec> kinds = model::attention_layers(config);
  for (int l = 0; l < std::ssize(kinds); ++l) {
    output.write("layer " + std::to_string(l) + ": " + kinds[at(l)].text() + ", x " +
                 io::to_string({tokens, l == 0 ? config.token_width() : config.dim}) +
                 "\n" + text_of({architecture, l, tokens}));
  }
}

}  // namespace oa::app
