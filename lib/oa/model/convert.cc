#include "oa/model/convert.h"

#include "oa/base/error.h"
#include "oa/base/index.h"
#include "oa/base/number.h"
#include "oa/num/symmetric_eigen.h"

#include <Eigen/SVD>

#include <algorithm>
#include <cassert>
#include <functional>

namespace oa::model {
namespace {

using Eigen::MatrixXd;
using num::ConstView;
using num::View;

/// A layer whose heads will share keys and values.
struct HeadLayer {
  int number;
  std::string prefix;  ///< of tensor names
  int heads;           ///< heads of queries
  int own;             ///< heads of keys and values before
  int groups;          ///< heads of keys and values after
  int width;           ///< width of a head

  /// The key head that query head h uses.
  [[nodiscard]] int key_head(int h) const { return h * own / heads; }
  [[nodiscard]] int per_group() const { return own / groups; }

  /// True if `name` is a tensor of the maps to keys and values.
  [[nodiscard]] bool has(const std::string& name) const {
    return name.starts_with(prefix + "Wk.") || name.starts_with(prefix + "Wv.");
  }
};

int find_tensor(const parts::Layout& layout, const std::string& name) {
  const auto found = std::ranges::find(layout.tensors(), name, &parts::Tensor::name);
  return found == layout.tensors().end()
             ? -1
             : static_cast<int>(found - layout.tensors().begin());
}

/// The number of heads of a layer's kind; 0 if the kind has no heads.
int heads_of(const attention::KindSpec& spec) {
  if (!attention::takes_option(*spec.kind, spec.options, "heads")) {
    return 0;
  }
  return static_cast<int>(
      parse_int(attention::option_text(*spec.kind, spec.options, "heads")).value_or(0));
}

/// Rows of the map to keys; 0 without such a map.
int key_rows(const parts::Layout& layout, const std::string& prefix) {
  for (const char* name : {"Wk.weight", "Wk.0.weight"}) {
    if (const int k = find_tensor(layout, prefix + name); k >= 0) {
      return layout[k].rows;
    }
  }
  return 0;
}

/// Lists the layers whose heads will share keys; throws if other layers differ.
std::vector<HeadLayer> head_layers(const Model& model,
                                   const Config& config,
                                   const std::string& where) {
  const auto before = attention_layers(model.config);
  const auto after = attention_layers(config);
  const parts::Layout layout = Architecture(config).layout;
  std::vector<HeadLayer> all;
  for (std::size_t l = 0; l < std::min(before.size(), after.size()); ++l) {
    const int number = static_cast<int>(l);
    const std::string prefix = layer_prefix(number);
    const int heads = heads_of(after[l]);
    const int rows = key_rows(model.layout, prefix);
    const int rows_after = key_rows(layout, prefix);
    if (heads == 0 || heads_of(before[l]) == 0 || rows == 0 || rows_after == 0 ||
        model.config.dim != config.dim) {
      continue;
    }
    if (heads != heads_of(before[l])) {
      throw InputError(where + ": heads=" + format(heads_of(before[l])) +
                       " cannot become heads=" + format(heads));
    }
    const int width = config.dim / heads;
    const HeadLayer layer{
        number, prefix, heads, rows / width, rows_after / width, width};
    if (layer.own % layer.groups != 0) {
      throw InputError(where + ": " + format(layer.own) +
                       " heads with keys cannot become " + format(layer.groups));
    }
    all.push_back(layer);
  }
  return all;
}

std::string shape_text(const parts::Tensor& tensor) {
  std::string all;
  for (const std::int64_t extent : tensor.shape) {
    all += (all.empty() ? "" : "x") + format(extent);
  }
  return all;
}

using Exempt = std::function<bool(const std::string& name)>;

void check_fits(const parts::Layout& have,
                const parts::Layout& want,
                const Exempt& may_differ,
                const std::string& where) {
  for (const parts::Tensor& tensor : want.tensors()) {
    const int k = find_tensor(have, tensor.name);
    if (k < 0) {
      throw InputError(where + ": no tensor " + tensor.name +
                       " (the new model has one of " + shape_text(tensor) + ")");
    }
    if (have[k].shape != tensor.shape && !may_differ(tensor.name)) {
      throw InputError(where + ": tensor " + tensor.name + " is " +
                       shape_text(have[k]) + " (the new model's is " +
                       shape_text(tensor) + ")");
    }
  }
  for (const parts::Tensor& tensor : have.tensors()) {
    if (find_tensor(want, tensor.name) < 0) {
      throw InputError(where + ": tensor " + tensor.name + " (the new model has none)");
    }
  }
}

void copy_where_alike(const Model& from, Model& to) {
  for (int k = 0; k < static_cast<int>(std::ssize(to.layout.tensors())); ++k) {
    const int f = find_tensor(from.layout, to.layout[k].name);
    if (from.layout[f].shape == to.layout[k].shape) {
      const ConstView a = from.values.matrix(f);
      const View b = to.values.matrix(k);
      for (int i = 0; i < a.rows; ++i) {
        std::copy_n(a.row(i), a.cols, b.row(i));
      }
    }
  }
}

// Heads are blocks of the first extent: rows of matrices, elements of vectors.

bool is_vector(const parts::Tensor& tensor) {
  return tensor.shape.size() == 1;
}

MatrixXd block(const Model& model, int tensor, int first, int count) {
  const ConstView w = model.values.matrix(tensor);
  const bool vector = is_vector(model.layout[tensor]);
  MatrixXd all(count, vector ? 1 : w.cols);
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < all.cols(); ++j) {
      all(i, j) = static_cast<double>(vector ? w(0, first + i) : w(first + i, j));
    }
  }
  return all;
}

void set_block(const MatrixXd& values, int first, int tensor, Model& model) {
  const View w = model.values.matrix(tensor);
  const bool vector = is_vector(model.layout[tensor]);
  for (int i = 0; i < values.rows(); ++i) {
    for (int j = 0; j < values.cols(); ++j) {
      (vector ? w(0, first + i) : w(first + i, j)) = static_cast<float>(values(i, j));
    }
  }
}

/// Combines heads of a layer: K = sum of share_h K_h R_h over its heads with keys,
/// where `turns` are the rotations R_h.
struct Turns {
  std::vector<double> shares;
  std::vector<MatrixXd> turns;  ///< orthonormal columns; empty: no rotation
};

Turns turns_of_mean(const HeadLayer& layer) {
  return {std::vector<double>(at(layer.own), 1.0 / layer.per_group()), {}};
}

Turns turns_of_first(const HeadLayer& layer) {
  Turns all;
  for (int h = 0; h < layer.own; ++h) {
    all.shares.push_back(h % layer.per_group() == 0 ? 1.0 : 0.0);
  }
  return all;
}

/// Aligns heads.
/// `inner` has the inner products of all columns of a group's [K_1 K_2 ...].
void align(const MatrixXd& inner, int d, std::vector<MatrixXd>& turns) {
  for (int h = 0; h < inner.rows(); h += d) {
    // Square matrices need no QR step before the SVD.
    const Eigen::JacobiSVD<MatrixXd, Eigen::NoQRPreconditioner> svd(
        inner.block(h, 0, d, d), Eigen::ComputeFullU | Eigen::ComputeFullV);
    turns.emplace_back(svd.matrixU() * svd.matrixV().transpose());
  }
}

void take_singular_vectors(const MatrixXd& inner, int d, std::vector<MatrixXd>& turns) {
  MatrixXd vectors = inner;
  num::replace_by_eigenvectors({vectors.data(), at(vectors.size())},
                               static_cast<int>(vectors.rows()));
  const MatrixXd best = vectors.rightCols(d).rowwise().reverse();
  for (int h = 0; h < inner.rows(); h += d) {
    turns.emplace_back(best.middleRows(h, d));
  }
}

Turns turns_of(Sharing how,
               const Model& model,
               const HeadLayer& layer,
               int map,
               std::span<const Moments> inputs) {
  if (how == Sharing::Mean) {
    return turns_of_mean(layer);
  }
  if (how == Sharing::First) {
    return turns_of_first(layer);
  }
  Turns all = how == Sharing::Aligned
                  ? turns_of_mean(layer)
                  : Turns{std::vector<double>(at(layer.own), 1.0), {}};
  const int rows = layer.per_group() * layer.width;
  for (int g = 0; g < layer.groups; ++g) {
    const MatrixXd w = block(model, map, g * rows, rows);
    MatrixXd inner = w * w.transpose();
    if (!inputs.empty()) {
      const Moments& moments = inputs[at(layer.number)];
      assert(moments.width == w.cols());
      const Eigen::Map<const MatrixXd> c(
          moments.sums.data(), moments.width, moments.width);
      inner = w * c * w.transpose();
    }
    how == Sharing::Aligned ? align(inner, layer.width, all.turns)
                            : take_singular_vectors(inner, layer.width, all.turns);
  }
  return all;
}

/// Combines the tensors of map `name`: a matrix, and maybe a bias and a normalisation.
void share(const Model& from,
           const HeadLayer& layer,
           const std::string& name,
           const Turns& how,
           Model& to) {
  const int d = layer.width;
  for (int k = 0; k < static_cast<int>(std::ssize(to.layout.tensors())); ++k) {
    const parts::Tensor& tensor = to.layout[k];
    if (!tensor.name.starts_with(layer.prefix + name + ".")) {
      continue;
    }
    const int f = find_tensor(from.layout, tensor.name);
    for (int g = 0; g < layer.groups; ++g) {
      MatrixXd sum = MatrixXd::Zero(d, is_vector(tensor) ? 1 : tensor.cols);
      for (int i = 0; i < layer.per_group(); ++i) {
        const auto h = at(g * layer.per_group() + i);
        MatrixXd own = block(from, f, static_cast<int>(h) * d, d);
        if (!how.turns.empty()) {
          own = how.turns[h].transpose() * own;
        }
        sum += how.shares[h] * own;
      }
      set_block(sum, g * d, k, to);
    }
  }
}

/// Rotates the columns of `tensor` that are multiplied by keys or values.
void turn_columns(const HeadLayer& layer, const Turns& how, int tensor, Model& model) {
  const int d = layer.width;
  MatrixXd w = block(model, tensor, 0, model.layout[tensor].rows);
  for (int h = 0; h < layer.heads; ++h) {
    const MatrixXd old = w.middleCols(h * d, d);
    w.middleCols(h * d, d) = old * how.turns[at(layer.key_head(h))];
  }
  set_block(w, 0, tensor, model);
}

void turn_queries(const HeadLayer& layer, const Turns& how, Model& model) {
  const int learned = find_tensor(model.layout, layer.prefix + "queries");
  if (learned >= 0) {
    turn_columns(layer, how, learned, model);
    return;
  }
  const int d = layer.width;
  const int map = find_tensor(model.layout, layer.prefix + "Wq.weight");
  for (int h = 0; h < layer.heads; ++h) {
    const MatrixXd old = block(model, map, h * d, d);
    const MatrixXd& turn = how.turns[at(layer.key_head(h))];
    set_block(turn.transpose() * old, h * d, map, model);
  }
}

void check_turns(const Model& model, const HeadLayer& layer, const std::string& where) {
  for (const char* name : {"Wk.weight", "Wo.weight"}) {
    if (find_tensor(model.layout, layer.prefix + name) < 0) {
      throw InputError(where +
                       ": heads can be turned only with plain=true,output=true "
                       "(the conversions mean and first do not turn them)");
    }
  }
}

void convert_layer(const Model& from,
                   const HeadLayer& layer,
                   Sharing how,
                   std::span<const Moments> inputs,
                   Model& to) {
  for (const std::string name : {"Wk", "Wv"}) {
    const int map = find_tensor(from.layout, layer.prefix + name + ".weight");
    const Turns turns = turns_of(how, from, layer, map, inputs);
    share(from, layer, name, turns, to);
    if (turns.turns.empty()) {
      continue;
    }
    if (name == "Wk") {
      turn_queries(layer, turns, to);
    } else {
      turn_columns(
          layer, turns, find_tensor(to.layout, layer.prefix + "Wo.weight"), to);
    }
  }
}

}  // namespace

void Moments::count(ConstView x) {
  assert(x.cols == width);
  for (int i = 0; i < x.rows; ++i) {
    const float* row = x.row(i);
    double* to = sums.data();
    for (int a = 0; a < width; ++a) {
      for (int b = 0; b < width; ++b) {
        *to++ += static_cast<double>(row[a]) * static_cast<double>(row[b]);
      }
    }
  }
}

Model with_config(const Model& model, const Config& config, const std::string& where) {
  Model to(config);
  check_fits(
      model.layout, to.layout, [](const std::string&) { return false; }, where);
  copy_where_alike(model, to);
  return to;
}

Model convert(const Model& model,
              const Config& config,
              Sharing how,
              std::span<const Moments> inputs,
              const std::string& where) {
  Model to(config);
  const std::vector<HeadLayer> layers = head_layers(model, config, where);
  check_fits(
      model.layout,
      to.layout,
      [&](const std::string& name) {
        return std::ranges::any_of(
            layers, [&](const HeadLayer& layer) { return layer.has(name); });
      },
      where);
  copy_where_alike(model, to);
  for (const HeadLayer& layer : layers) {
    if (layer.own == layer.groups) {
      continue;
    }
    if (how == Sharing::Aligned || how == Sharing::Svd) {
      check_turns(model, layer, where);
    }
    convert_layer(model, layer, how, inputs, to);
  }
  return to;
}

Config before_sharing(const Model& model,
                      const Config& config,
                      const std::string& where) {
  std::vector<attention::KindSpec> kinds = attention_layers(config);
  for (const HeadLayer& layer : head_layers(model, config, where)) {
    attention::KindSpec& spec = kinds[at(layer.number)];
    if (layer.own != layer.groups) {
      spec.kind = attention::find_kind("gqa");
      spec.options["groups"] = format(layer.own);
    }
  }
  Config before = config;
  before.attention = attention::text_of(kinds);
  return before;
}

GroupMeans::GroupMeans(const Model& model, const Config& shared) {
  for (const HeadLayer& layer : head_layers(model, shared, "model")) {
    for (int k = 0; k < static_cast<int>(std::ssize(model.layout.tensors())); ++k) {
      if (layer.has(model.layout[k].name) && layer.own != layer.groups) {
        maps_.push_back({k, layer.own, layer.groups});
      }
    }
  }
}

void GroupMeans::draw_together(double share, parts::Values& values) const {
  for (const Map& map : maps_) {
    View all = values.matrix(map.tensor);
    if (all.rows == 1) {  // a vector has heads stacked like rows of a matrix
      all = {all.data, all.cols, 1, 1};
    }
    const int width = all.rows / map.heads;
    const int rows = width * map.heads / map.groups;  // rows of a group
    for (int first = 0; first < all.rows; first += rows) {
      for (int i = 0; i < width; ++i) {
        for (int j = 0; j < all.cols; ++j) {
          double sum = 0.0;
          for (int r = first + i; r < first + rows; r += width) {
            sum += static_cast<double>(all(r, j));
          }
          const double mean = sum * width / rows;
          for (int r = first + i; r < first + rows; r += width) {
            all(r, j) = static_cast<float>(
                (1.0 - share) * static_cast<double>(all(r, j)) + share * mean);
          }
        }
      }
    }
  }
}

}  // namespace oa::model
