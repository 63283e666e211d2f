// What a model of oa.torch is made of: its settings, its tensors and its formulas.
#include "model.h"

#include "app/view/describe.h"
#include "arrays.h"
#include "oa/io/tensor/model_io.h"
#include "oa/model/architecture.h"
#include "oa/model/config.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace nb = nanobind;

namespace oa::python {
namespace {

using Texts = std::map<std::string, std::string>;

/// All settings, also those with default values.
Texts texts_of(const model::Config& config) {
  Texts all;
  for (const Field<model::Config>& field : model::config_fields().fields) {
    all[model::config_fields().key(field)] = field.text(config);
  }
  return all;
}

Texts file_config(const std::string& path) {
  return texts_of(io::read_model_file(path).config);
}

Texts changed_config(const Texts& texts, const Texts& changes) {
  model::Config config = model::parse_config(texts, "model");
  model::config_fields().parse(changes, "model", config);
  (void)model::agree_on_levels(
      changes.contains("oa.coefficients"), changes.contains("oa.levels"), config);
  model::check(config, "model");
  return texts_of(config);
}

nb::dict initial_values(const Texts& texts, std::uint64_t seed) {
  model::Model model(model::parse_config(texts, "model"));
  parts::initialize(model.layout, Rng(seed), model.values);
  const io::PackedTensors packed = io::pack(model.layout, model.layout, model.values);
  nb::dict all;
  for (std::size_t k = 0; k < packed.data.size(); ++k) {
    const parts::Tensor& tensor = model.layout.tensors()[k];
    all[tensor.name.c_str()] = nb::cast(array_of(std::vector(packed.data[k])))
                                   .attr("reshape")(nb::cast(tensor.shape));
  }
  return all;
}

std::string formulas(const Texts& texts, int tokens) {
  const model::Architecture architecture(model::parse_config(texts, "model"));
  const int most = architecture.config.tokens();
  return app::formulas_of(architecture, tokens == 0 ? most : tokens).text();
}

}  // namespace

void declare_model(nb::module_& m) {
  m.def("file_config", file_config, nb::arg("path"));
  m.def("changed_config", changed_config, nb::arg("texts"), nb::arg("changes"));
  m.def("initial_values", initial_values, nb::arg("texts"), nb::arg("seed"));
  m.def("formulas", formulas, nb::arg("texts"), nb::arg("tokens"));
}

}  // namespace oa::python
