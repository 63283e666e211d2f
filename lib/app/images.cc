#include "app/images.h"

#include "oa/base/counted.h"
#include "oa/base/error.h"
#include "oa/base/number.h"
#include "oa/base/utf8.h"
#include "oa/io/bytes/recognise.h"
#include "oa/io/tensor/dataset_io.h"
#include "oa/io/tensor/model_io.h"
#include "oa/io/tensor/picture_file.h"
#include "oa/io/text/characters.h"
#include "oa/io/text/sentences.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace oa::app {

std::optional<Shard> parse_shard(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == text.npos) {
    return std::nullopt;
  }
  const auto k = parse_int(text.substr(0, slash));
  const auto n = parse_int(text.substr(slash + 1));
  constexpr std::int64_t kMax = 1'000'000'000;
  if (!k || !n || *k < 0 || *k >= *n || *n > kMax) {
    return std::nullopt;
  }
  return Shard{*k, *n};
}

IndexSet selected_indices(const ImageOptions& o, int count, const std::string& noun) {
  const IndexSet selected =
      o.index ? *o.index
              : IndexSet::first(std::min<std::int64_t>(o.first.value_or(count), count));
  if (!selected.ranges().empty() && selected.ranges().back().last >= count) {
    throw InputError(o.images + ": there is no " + noun + " " +
                     format(selected.ranges().back().last) + " (" +
                     counted(count, noun) + ", counted from 0)");
  }
  const Shard shard = parse_shard(o.shard).value_or(Shard{});
  const std::int64_t size = selected.size();
  return selected.slice(size * shard.k / shard.n, size * (shard.k + 1) / shard.n);
}

namespace {

/// True if a file, decompressed, begins as a model.
/// False for pipes, because reading would consume their bytes.
bool begins_as_model(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    return false;
  }
  io::Input input = io::Input::open(path);
  const auto start = input.peek(16);
  return io::looks_like_safetensors(io::as_text(start));
}

void refuse_swapped(const std::string& model, const std::string& data) {
  std::error_code error;
  const bool looked = std::filesystem::is_regular_file(model, error) ||
                      std::filesystem::is_directory(model, error);
  if (looked && !begins_as_model(model) && begins_as_model(data)) {
    throw UsageError("MODEL comes first: " + data + " is a model, " + model +
                     " is not");
  }
}

}  // namespace

LoadedModel read_posed_model(const std::string& path, const ImageOptions& o) {
  refuse_swapped(path, o.images);
  io::Input input = io::Input::open(path);
  const io::Safetensors file = io::read_safetensors_file(input);
  model::Model model = io::read_model(file, path);
  const auto exact = file.metadata.find("oa.train.exact");
  const Coefficients trained = model.config.coefficients;
  if (!o.coefficients.empty()) {
    (void)parse_field(o.coefficients, model.config.coefficients);
  }
  model.config.levels = static_cast<int>(o.levels.value_or(model.config.levels));
  if (!model::agree_on_levels(
          !o.coefficients.empty(), o.levels.has_value(), model.config)) {
    throw UsageError("coefficients",
                     " levels needs levels (2 to " + format(kMaxLevels) + ")");
  }
  if (o.levels) {
    model::check(model.config, path);
  }
  if (trained == Coefficients::Marginal && model.config.coefficients != trained) {
    const model::Config config = model.config;  // without temperatures
    model = model::Model(config);
    model.values = io::read_values(file, model.layout, path);
  }
  const bool levels = model.config.coefficients == Coefficients::Levels;
  return {.model = o.stride > 0 ? model::with_stride(model, o.stride) : model,
          .signed_levels = trained == Coefficients::Lasso && levels,
          .exact = exact != file.metadata.end() && exact->second == "true"};
}

attention::SolverSettings solver_of(bool exact, train::ExactCount* count) {
  attention::SolverSettings solver;
  if (exact) {
    solver.optima = train::exact_optima(count);
  }
  return solver;
}

LoadedModel read_model(const std::string& path, const ImageOptions& o) {
  LoadedModel loaded = read_posed_model(path, o);
  if (loaded.signed_levels) {
    throw UsageError(path +
                     ": levels of the lasso are found by solving its problems (oa-qubo "
                     "writes them)");
  }
  return loaded;
}

namespace {

void require(bool good, const std::string& where, const std::string& what) {
  if (!good) {
    throw InputError(where + ": " + what);
  }
}

void check_images(const model::Config& config,
                  const Images& images,
                  const std::string& where,
                  const std::string& remedy) {
  const auto text_of = [](int channels, int rows, int cols) {
    return "images of " + format(rows) + "x" + format(cols) + " pixels" +
           (channels == 1 ? "" : " in " + format(channels) + " colours");
  };
  require(!config.takes_sequences(), where, "images (the model takes sequences)");
  require(images.rows == config.rows && images.cols == config.cols &&
              images.channels == config.channels,
          where,
          text_of(images.channels, images.rows, images.cols) + " (the model takes " +
              text_of(config.channels, config.rows, config.cols) + remedy + ")");
}

/// True if no tensor of the model depends on the number of tokens.
bool takes_length(const model::Config& config, int length) {
  model::Config longer = config;
  longer.length = length;
  try {
    model::check(longer, "model");
    const model::Architecture here(config);
    const model::Architecture there(longer);
    return std::ranges::equal(here.layout.tensors(),
                              there.layout.tensors(),
                              {},
                              &parts::Tensor::shape,
                              &parts::Tensor::shape);
  } catch (const InputError&) {
    return false;
  }
}

void check_sequences(const model::Config& config,
                     const Sequences& all,
                     const std::string& where) {
  require(config.takes_sequences(), where, "sequences (the model takes images)");
  require(all.vocabulary <= config.vocabulary &&
              (all.vocabulary > 0) == (config.vocabulary > 0),
          where,
          "a vocabulary of " + format(all.vocabulary) + " (the model has " +
              format(config.vocabulary) + ")");
  require(all.width == config.vector_width,
          where,
          "vectors of " + format(all.width) + " numbers (the model takes " +
              format(config.vector_width) + ")");
  require(all.asking == config.asking,
          where,
          format(all.asking) + " query tokens (the model has " + format(config.asking) +
              ")");
  int longest = std::max(config.length, all.longest);
  for (const Sequences::Place& place : all.places) {
    longest = std::max(longest, place.length);
    require(place.length > all.asking, where, "a sequence of query tokens only");
  }
  require(longest == config.length || takes_length(config, longest),
          where,
          "a sequence of " + format(longest) + " tokens (the model has " +
              format(config.length) + " positions; one trained without positions " +
              "takes any length)");
}

/// Reads a text as tokens, by the model's alphabet.
Dataset text_for(const model::Config& config, const std::string& path) {
  io::Input input = io::Input::open(path);
  io::Characters text = io::read_characters(
      input, {.context = config.length, .stride = config.length}, Split::Test);
  const std::vector<char32_t> known = io::signs_of(config.alphabet).signs;
  std::vector<std::int32_t> token_of;
  for (const char32_t sign : text.alphabet) {
    const auto found = std::ranges::find(known, sign);
    require(found != known.end(),
            path,
            "the character '" + utf8(sign) + "' is not in the model's alphabet");
    token_of.push_back(static_cast<std::int32_t>(found - known.begin()));
  }
  for (auto* tokens : {&text.data.sequences.ids, &text.data.targets.numbers}) {
    for (std::int32_t& token : *tokens) {
      token = token < 0 ? token : token_of[static_cast<std::size_t>(token)];
    }
  }
  text.data.sequences.vocabulary = config.vocabulary;
  text.data.targets.classes = config.classes;
  return std::move(text.data);
}

/// Returns the form of pictures: that of the training, with changes by options.
PictureForm form_of(const ImageOptions& o, const model::Config& config) {
  PictureForm form{.invert = o.invert.value_or(config.inverted)};
  if (o.fit || config.resized) {
    form.rows = config.rows;
    form.cols = config.cols;
  }
  if (o.fit || config.grey) {
    form.channels = config.channels;
  }
  return form;
}

Dataset read_examples(const ImageOptions& o,
                      const model::Config& config,
                      const Selection& selection,
                      Context& context) {
  if (config.takes_sequences() && (o.fit || o.invert)) {
    throw UsageError(o.fit ? "fit" : "invert",
                     " is for images (the model takes sequences)");
  }
  const PictureForm form = form_of(o, config);
  if (config.inverted && !form.invert) {
    context.warn("invert=false: the model was trained on inverted pictures");
  }
  std::error_code error;  // opening the file reports errors
  if (std::filesystem::is_directory(o.images, error)) {
    return io::read_dataset(o.images, Split::Test, form, selection);
  }
  if (!config.alphabet.empty()) {
    return select(text_for(config, o.images), selection);
  }
  if (config.takes_sequences() && config.objective == Objective::Class) {
    io::Input input = io::Input::open(o.images, context.token());
    return select(io::read_sentences(input, {}, Split::Test).data, selection);
  }
  require(!config.takes_sequences(),
          o.images,
          "the model takes sequences (expected a folder, as of oa-tasks)");
  return io::read_pictures_and_labels(
      o.images, o.labels, form, context.token(), selection);
}

}  // namespace

void check_examples(const model::Config& config,
                    const Dataset& data,
                    const std::string& where,
                    const std::string& remedy) {
  if (!data.has_sequences()) {
    check_images(config, data.images, where, remedy);
  } else {
    check_sequences(config, data.sequences, where);
  }
  const bool asks = data.targets.objective != Objective::Class;
  require(!asks || data.targets.objective == config.objective,
          where,
          "targets are " + field_text(data.targets.objective) + " (the model gives " +
              field_text(config.objective) + ")");
  require(!asks || data.targets.classes <= config.classes,
          where,
          format(data.targets.classes) + " classes (the model has " +
              format(config.classes) + ")");
  require(asks || config.objective == Objective::Class,
          where,
          "no targets (the model gives " + field_text(config.objective) + ")");
  require(config.objective != Objective::Cells || data.targets.rows == config.queries,
          where,
          "targets of " + format(data.targets.rows) + " classes (the model predicts " +
              format(config.queries) + ")");
}

ExampleSource::ExampleSource(const ImageOptions& o,
                             const model::Config& config,
                             Context& context) {
  Selection selection;
  // Ranges instead of a list: the count is confirmed only when data are read.
  IndexSet selected;
  selection.keep = [&](int count) {
    selected = selected_indices(o, count, "image");
    count_ = count;
    const auto& ranges = selected.ranges();
    return ranges.empty() ? ExampleRange{}
                          : ExampleRange{static_cast<int>(ranges.front().first),
                                         static_cast<int>(ranges.back().last) + 1};
  };
  data_ = read_examples(o, config, selection, context);
  for (const auto& range : selected.ranges()) {
    for (std::int64_t i = range.first; i <= range.last; ++i) {
      chosen_.push_back(static_cast<int>(i));
    }
  }
  first_ = chosen_.empty() ? 0 : chosen_.front();
  check_examples(config, data_, o.images, "; the option fit converts them");
  if (o.first && *o.first > count_) {
    context.warn(o.images + ": holds only " +
                 counted(count_, config.takes_sequences() ? "sequence" : "image"));
  }
}

std::optional<std::int64_t> ExampleSource::label(std::int64_t k) const {
  if (data_.labels.empty()) {
    return std::nullopt;
  }
  return data_.labels[static_cast<std::size_t>(place(k))];
}

}  // namespace oa::app
