#include "oa/model/config.h"

#include "oa/attention/kind.h"
#include "oa/base/error.h"
#include "oa/base/number.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace oa::model {
namespace {

void require(bool good, const std::string& where, const std::string& what) {
  if (!good) {
    throw InputError(where + ": " + what);
  }
}

std::string refusal_of_kinds(const std::string& text) {
  try {
    (void)attention::parse_kind_specs(text, "");
    return {};
  } catch (const InputError& e) {
    return e.what();
  }
}

constexpr int kMaxExtent = 1 << 16;  // products of three fit 64 bits
constexpr std::int64_t kMaxNumbers = std::int64_t{1} << 26;

constexpr Range kExtent{.low = 1, .high = kMaxExtent};
constexpr Range kExtentOrNone{.low = 0, .high = kMaxExtent};
constexpr Range kVocabulary{.low = 0, .high = 1 << 20};

std::vector<std::string> names_of_kinds() {
  std::vector<std::string> all;
  for (const attention::Kind* kind : attention::all_kinds()) {
    all.emplace_back(kind->name);
  }
  return all;
}

constexpr std::array kFields{
    field<&Config::rows>("rows",
                         "Pixels of an image, from top to bottom",
                         {.range = kExtent, .no_option = "the images decide it"}),
    field<&Config::cols>("cols",
                         "Pixels of an image, from left to right",
                         {.range = kExtent, .no_option = "the images decide it"}),
    field<&Config::classes>("classes",
                            "Number of classes",
                            {.range = kExtent, .no_option = "the labels decide it"}),
    field<&Config::channels>(
        "channels",
        "Colours of an image",
        {.range = kExtent, .no_option = "the images decide it", .later = true}),
    field<&Config::resized>("resized",
                            "Images are resized to the size of the model",
                            {.no_option = "--resize decides it", .later = true}),
    field<&Config::grey>("grey",
                         "Colour images are converted to grey",
                         {.no_option = "--grey is a flag", .later = true}),
    field<&Config::inverted>("inverted",
                             "Images are inverted",
                             {.no_option = "--invert is a flag", .later = true}),
    field<&Config::length>(
        "length",
        "Largest number of tokens of a sequence (0: images)",
        {.range = kExtentOrNone, .no_option = "the data decide it", .later = true}),
    field<&Config::vocabulary>(
        "vocabulary",
        "Number of different tokens (0: tokens are vectors)",
        {.range = kVocabulary, .no_option = "the data decide it", .later = true}),
    field<&Config::vector_width>(
        "vector_width",
        "Width of vectors",
        {.range = kExtentOrNone, .no_option = "the data decide it", .later = true}),
    field<&Config::asking>(
        "asking",
        "Number of last tokens of a sequence that are queries",
        {.range = kExtentOrNone, .no_option = "the data decide it", .later = true}),
    field<&Config::alphabet>("alphabet",
                             "Characters in the order of their tokens",
                             {.no_option = "the text decides it", .later = true}),
    field<&Config::objective>("objective",
                              "What the model predicts about an example",
                              {.no_option = "the data decide it", .later = true}),
    field<&Config::margin>(
        "margin",
        "Background added on every side, in pixels",
        {.range = kExtentOrNone, .no_option = "--window decides it"}),
    field<&Config::stride>("stride",
                           "Pixels from one patch to the next",
                           {.option = "--patch", .value_name = "P", .range = kExtent}),
    field<&Config::window>("patch",
                           "Side of a patch, in pixels",
                           {.option = "--window", .value_name = "W", .range = kExtent}),
    field<&Config::attention>(
        "attention",
        "Kind of attention, NAME[:OPTION=VALUE,...], or one for "
        "each layer; see oa-attention(7)",
        {.examples = names_of_kinds, .refusal_of = refusal_of_kinds}),
    field<&Config::coefficients>("coefficients", "Values that coefficients may take"),
    field<&Config::levels>(
        "levels",
        "Number of levels of a coefficient, from 0 to 1 (2: binary)",
        {.value_name = "L", .range = {.low = 2, .high = kMaxLevels}, .later = true}),
    field<&Config::encoding>(
        "encoding",
        "How binary variables encode a level",
        {.no_option = "oa-qubo --encoding decides it", .later = true}),
    field<&Config::normalization>(
        "normalization", "How coefficients become weights", {.value_name = "HOW"}),
    field<&Config::queries>("queries",
                            "Number of learned queries (0: one query per token)",
                            {.range = kExtentOrNone}),
    field<&Config::dim>(
        "dim", "Width of queries and values", {.value_name = "D", .range = kExtent}),
    field<&Config::layers>("layers", "Number of attention layers", {.range = kExtent}),
    field<&Config::causal>("causal",
                           "Causal layers: no token sees a later token",
                           {.no_option = "--causal is a flag", .later = true}),
    field<&Config::positions>("positions",
                              "Add a learned vector for the position of each token",
                              {.later = true}),
    field<&Config::previous>(
        "previous",
        "Add a learned vector for the previous token of a sequence",
        {.later = true}),
    field<&Config::residual>(
        "residual", "Residual layers, with normalised inputs", {.later = true}),
    field<&Config::embedding>("embedding", "How patches become tokens"),
    field<&Config::patch_norm>("patch_norm", "Normalise each patch"),
    field<&Config::token_mlp>("token_mlp",
                              "Hidden units of the network after attention (0: none)",
                              {.range = kExtentOrNone}),
    field<&Config::query_positions>(
        "query_positions", "Give that network a learned vector for each query"),
    field<&Config::pooling>("pooling",
                            "How the rows of all queries become one vector",
                            {.value_name = "HOW"}),
    field<&Config::head>(
        "head", "Hidden units of the classifier (0: linear)", {.range = kExtentOrNone}),
    field<&Config::lambda>("lambda", "Penalty of a coefficient, a multiple of 1/m"),
    field<&Config::value_scale>("value_scale",
                                "Scale of the values of a problem, a multiple of 1/m"),
    field<&Config::divide_output>("divide_output",
                                  "Divide the output of attention by m"),
};

/// Estimates the number of numbers in the parameters and in the memory for one image;
/// each large matrix counts once.
std::int64_t numbers_of(const Config& c) {
  const std::int64_t m = c.tokens();
  const std::int64_t n = c.query_count();
  const std::int64_t dim = c.dim;
  const std::int64_t width = std::max<std::int64_t>(
      c.takes_sequences() ? c.token_width() : c.window_size(), dim);
  const bool concatenates =
      c.objective == Objective::Class && c.pooling == Pooling::Concat;
  const std::int64_t pooled = concatenates ? n * dim : dim;
  const std::int64_t classifier =
      c.head > 0 ? (pooled + c.classes) * c.head : pooled * c.classes;
  const std::int64_t layer = m * (m + n + width) + n * dim + width * dim +
                             (dim + std::max(m, n)) * c.token_mlp;
  const std::int64_t input = c.takes_sequences()
                                 ? std::int64_t{2} * c.vocabulary * dim
                                 : std::int64_t{c.channels} * c.rows * c.cols;
  return c.layers * layer + classifier + input;
}

std::vector<attention::KindSpec> layers_of(const Config& c, const std::string& where) {
  std::vector<attention::KindSpec> all =
      attention::parse_kind_specs(c.attention, where);
  if (all.size() == 1) {
    all.resize(static_cast<std::size_t>(c.layers), all.front());
  }
  require(std::ssize(all) == c.layers,
          where,
          "attention '" + c.attention + "' is for " + format(int(std::ssize(all))) +
              " layers, the model has " + format(c.layers));
  return all;
}

void check_attention(const Config& c, const std::string& where) {
  int layer = 0;
  for (const attention::KindSpec& spec : layers_of(c, where)) {
    attention::check_site(*spec.kind, site_of(c, layer, spec), where);
    ++layer;
  }
}

void check_numbers(std::int64_t numbers, const std::string& where) {
  require(numbers <= kMaxNumbers,
          where,
          "a model of " + format(numbers) + " numbers (expected at most " +
              format(kMaxNumbers) + ")");
}

void check_images(const Config& c, const std::string& where) {
  // window_size() must not overflow an int.
  check_numbers(std::int64_t{c.channels} * c.window * c.window, where);
  const auto fits = [&](int pixels) {
    const int room = pixels + 2 * c.margin - c.window;
    return room >= 0 && room % c.stride == 0;
  };
  require(fits(c.rows) && fits(c.cols),
          where,
          "images of " + format(c.rows) + "x" + format(c.cols) +
              " are not covered by patches of " + format(c.window) + " every " +
              format(c.stride) + " pixels");
  require(static_cast<std::int64_t>(c.grid_rows()) * c.grid_cols() <= kMaxExtent,
          where,
          "more than " + format(kMaxExtent) + " patches");
  require(!c.previous, where, "previous needs sequences, not patches");
  require(c.asking == 0, where, "asking needs sequences, not patches");
}

void check_sequences(const Config& c, const std::string& where) {
  require(c.vocabulary > 0 || c.vector_width > 0,
          where,
          "tokens have neither ids nor vectors");
  require(
      c.asking < c.length,
      where,
      "all " + format(c.length) + " tokens of a sequence are queries (expected fewer)");
  require(c.asking == 0 || c.queries == 0,
          where,
          "learned queries with " + format(c.asking) +
              " query tokens (expected only one of the two)");
  require(!c.previous || c.vocabulary > 0, where, "previous needs tokens with ids");
}

void check_residual(const Config& c, const std::string& where) {
  // A vector that comes before the embedding of its id determines the width.
  const bool wider = c.token_width() > c.dim && c.key_width() > 0;
  require(!c.residual || c.token_width() == c.dim,
          where,
          "residual adds tokens of width " + format(c.token_width()) +
              " to rows of width " + format(c.dim) +
              (wider ? ": a token is its vector beside the embedding of its label "
                       "(expected embedding mlp, which adds both in the width of rows)"
                     : " (expected dim " + format(c.token_width()) +
                           ", or embedding mlp)"));
}

void check_objective(const Config& c, const std::string& where) {
  switch (c.objective) {
    case Objective::Class: break;
    case Objective::Positions:
      require(c.takes_sequences() && c.queries == 0,
              where,
              "classes of positions need a sequence without learned queries");
      break;
    case Objective::Sets: require(c.asking > 0, where, "sets need query tokens"); break;
    case Objective::Cells:
      require(c.queries > 0, where, "cells need a learned query for each class");
      break;
  }
}

}  // namespace

std::vector<attention::KindSpec> attention_layers(const Config& config) {
  return layers_of(config, "model");
}

attention::Site site_of(const Config& c, int layer, const attention::KindSpec& spec) {
  const bool last = layer + 1 == c.layers;
  // Kinds without takes_queries compute all tokens; then queries are selected.
  const int asking = last && spec.kind->takes_queries ? c.asking : 0;
  return {.prefix = layer_prefix(layer),
          .tokens = c.tokens(),
          .grid_cols = c.takes_sequences() ? 0 : c.grid_cols(),
          .learned_queries = last ? c.queries : 0,
          .asking = asking,
          .key_width = layer == 0 && spec.kind->narrow_keys ? c.key_width() : 0,
          .width = layer == 0 ? c.token_width() : c.dim,
          .dim = c.dim,
          .causal = c.causal && asking == 0,
          .options = spec.options,
          .coefficients = c.coefficients,
          .levels = c.levels,
          .normalization = c.normalization,
          .lambda = c.lambda,
          .value_scale = c.value_scale,
          .divide_output = c.divide_output};
}

namespace {

/// The text given for an option of a layer's kind; empty without the option.
std::string said_of(const Config& config, int layer, const char* option) {
  const auto layers = attention_layers(config);
  const auto& options = layers[static_cast<std::size_t>(layer)].options;
  const auto found = options.find(option);
  return found == options.end() ? "" : found->second;
}

}  // namespace

attention::Normalization weights_of(const Config& config, int layer) {
  const std::string keys = said_of(config, layer, "keys");
  return keys.empty() || keys == "paper" ||
                 config.normalization == attention::Normalization::None
             ? config.normalization
             : attention::Normalization::Capped;
}

int heads_of(const Config& config, int layer) {
  const auto layers = attention_layers(config);
  const auto& spec = layers[static_cast<std::size_t>(layer)];
  return static_cast<int>(
      parse_int(attention::option_text(*spec.kind, spec.options, "heads")).value_or(1));
}

std::string layer_prefix(int layer) {
  return layer == 0 ? "" : "layers." + std::to_string(layer) + ".";
}

const FieldTable<Config>& config_fields() {
  static constexpr FieldTable<Config> kTable{"oa.", kFields};
  return kTable;
}

bool agree_on_levels(bool said_coefficients, bool said_levels, Config& c) {
  const bool has_levels = c.coefficients == Coefficients::Levels;
  if (said_levels && (has_levels || !said_coefficients)) {
    c.coefficients = c.levels > 2 ? Coefficients::Levels : Coefficients::Binary;
  } else if (said_coefficients && !said_levels && !has_levels) {
    c.levels = 2;
  }
  return c.coefficients != Coefficients::Levels || c.levels > 2;
}

void check(const Config& c, const std::string& where) {
  config_fields().check(c, where);
  c.takes_sequences() ? check_sequences(c, where) : check_images(c, where);
  check_objective(c, where);
  require((c.coefficients == Coefficients::Levels) == (c.levels > 2),
          where,
          c.levels > 2 ? format(c.levels) + " levels of " + field_text(c.coefficients) +
                             " coefficients (expected coefficients levels)"
                       : "coefficients of 2 levels are binary (expected 3 to " +
                             format(kMaxLevels) + " levels)");
  check_residual(c, where);
  check_numbers(numbers_of(c), where);
  check_attention(c, where);
}

namespace {

/// Sets option `heads` in every layer whose kind has several heads by default and lacks
/// the option.  Without a value, sets that default.
std::string with_heads(const std::string& attention,
                       const std::optional<std::string>& heads) {
  auto layers = attention::parse_kind_specs(attention, "model");
  bool changed = false;
  for (attention::KindSpec& spec : layers) {
    const std::string own = attention::option_text(*spec.kind, {}, "heads");
    if (!own.empty() && own != "1") {
      changed |= spec.options.emplace("heads", heads.value_or(own)).second;
    }
  }
  return changed ? attention::text_of(layers) : attention;
}

constexpr const char* kAttentionKey = "oa.attention";

}  // namespace

std::map<std::string, std::string> describe(const Config& config) {
  auto all = config_fields().describe(config);
  all[kAttentionKey] = with_heads(config.attention, std::nullopt);
  return all;
}

Config parse_config(const std::map<std::string, std::string>& metadata,
                    const std::string& where) {
  Config config;
  config_fields().parse(metadata, where, config);
  if (refusal_of_kinds(config.attention).empty()) {
    // Files without the option are older than kinds with several heads by default.
    config.attention = with_heads(config.attention, "1");
  }
  check(config, where);
  return config;
}

Config infer_config(const Shapes& shapes, const std::string& where) {
  const auto shape = [&](const char* name, std::size_t rank) {
    const auto found = shapes.find(name);
    require(found != shapes.end() && found->second.size() == rank,
            where,
            std::string("no tensor ") + name + " of rank " + format(int(rank)) +
                " (expected a model file)");
    for (const auto extent : found->second) {
      require(extent >= 1 && extent <= kMaxExtent,
              where,
              std::string("an extent of ") + name + " is out of range");
    }
    return found->second;
  };
  Config c;
  const bool mlp = shapes.contains("mlp.0.weight");
  c.attention = mlp ? "mlp" : shapes.contains("Wk.0.weight") ? "softmax" : "optimizing";
  c.divide_output = c.attention == "optimizing";
  const auto map = shape(mlp ? "mlp.0.weight" : "Wv.0.weight", 2);
  c.dim = static_cast<int>(map[0]);
  c.window = static_cast<int>(std::lround(std::sqrt(static_cast<double>(map[1]))));
  c.stride = c.window;
  c.classes =
      static_cast<int>(shape(mlp ? "softmax.1.weight" : "mlp.net.1.weight", 2)[0]);
  if (!mlp) {
    // Positions have a row more than patches; the image is square.
    const auto patches = static_cast<double>(shape("pos_embedding", 3)[1] - 1);
    c.rows = c.cols = static_cast<int>(std::lround(std::sqrt(patches))) * c.window;
  }
  check(c, where);
  return c;
}

}  // namespace oa::model
