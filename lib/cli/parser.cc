#include "cli/parser.h"

#include "app/context.h"
#include "oa/base/nearest.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace oa::cli {

Option* Option::type_name(const std::string& name) {
  option_->type_name(name);
  return this;
}

Option* Option::default_str(const std::string& text) {
  option_->default_str(text);
  return this;
}

Option* Option::check(Check check) {
  choices_ = std::move(check.choices);
  examples_ = std::move(check.examples);
  option_->check(CLI::Validator(std::move(check.refusal), ""));
  return this;
}

Option* Option::required() {
  option_->required();
  return this;
}

Option* Option::excludes(Option* other) {
  option_->excludes(other->option_);
  return this;
}

Option* Option::needs(Option* other) {
  option_->needs(other->option_);
  return this;
}

Option* Option::expected(int values) {
  option_->expected(values);
  return this;
}

Option* Option::take_all() {
  option_->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  return this;
}

Option* Option::hide() {
  hidden_ = true;
  return this;
}

bool Option::is_operand() const {
  return option_->get_positional();
}

bool Option::is_flag() const {
  return option_->get_expected_max() == 0;
}

bool Option::is_required() const {
  return option_->get_required();
}

bool Option::takes_many() const {
  return option_->get_expected_max() > 1;
}

std::string Option::name() const {
  return option_->get_name();
}

std::string Option::short_name() const {
  const auto& names = option_->get_snames();
  return names.empty() ? std::string{} : names.front();
}

std::string Option::description() const {
  return option_->get_description();
}

std::string Option::value_name() const {
  return is_flag() ? std::string{} : option_->get_type_name();
}

std::string Option::default_text() const {
  return is_flag() || is_operand() ? std::string{} : option_->get_default_str();
}

std::size_t Option::count() const {
  return option_->count();
}

const std::vector<std::string>& Option::values() const {
  return option_->results();
}

App::App(std::string_view name)
    : app_(std::make_unique<CLI::App>("", std::string(name))) {
  app_->option_defaults()->always_capture_default()->multi_option_policy(
      CLI::MultiOptionPolicy::TakeLast);
  app_->set_help_flag();  // run_tool() handles --help and --version
}

App::~App() = default;

namespace {

/// Returns "-o,--output" of "-o,--output FILE".
std::string before_space(const std::string& words) {
  return words.substr(0, words.find(' '));
}

}  // namespace

Option* App::keep(CLI::Option* option, const std::string& words) {
  if (const auto space = words.find(' '); space != words.npos) {
    option->type_name(words.substr(space + 1));
  }
  return options_.emplace_back(std::make_unique<Option>(option)).get();
}

template <class T>
Option* App::add_option(const std::string& words,
                        T& value,
                        const std::string& description) {
  return keep(app_->add_option(before_space(words), value, description), words);
}

#define OA_OPTION(type) \
  template Option* App::add_option(const std::string&, type&, const std::string&)
OA_OPTION(std::string);
OA_OPTION(std::vector<std::string>);
OA_OPTION(int);
OA_OPTION(std::int64_t);
OA_OPTION(std::uint64_t);
OA_OPTION(double);
OA_OPTION(std::optional<std::int64_t>);
OA_OPTION(std::optional<double>);
#undef OA_OPTION

Option* App::add_text(const std::string& words,
                      std::function<void(const std::string&)> take,
                      const std::string& description) {
  return keep(app_->add_option_function<std::string>(
                  before_space(words), std::move(take), description),
              words);
}

Option* App::add_flag(const std::string& names,
                      bool& value,
                      const std::string& description) {
  return keep(app_->add_flag(names, value, description));
}

Option* App::add_flag(const std::string& names,
                      bool& value,
                      std::string& text,
                      const std::string& description) {
  const auto take = [&value, &text](const std::string& given) {
    value = true;
    text = given == "true" ? "" : given;  // CLI11 passes "true" for a flag without text
  };
  return keep(app_->add_flag(names, description)->each(take));
}

Option* App::add_switch(const std::string& names,
                        std::optional<bool>& value,
                        const std::string& description) {
  const auto take = [&value, names](const std::string& given) {
    if (given != "true" && given != "false") {
      throw app::UsageError(names + ": '" + given + "' (expected true or false)");
    }
    value = given == "true";
  };
  return keep(app_->add_flag(names, description)->each(take));
}

Option* App::add_flag(const std::string& names, const std::string& description) {
  return keep(app_->add_flag(names, description));
}

std::string App::surplus(const std::string& argument) const {
  if (!argument.starts_with('-') || argument == "-") {
    return "unexpected operand '" + argument + "'";
  }
  const std::string name = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  std::vector<std::string> descriptions;
  for (const auto& option : options_) {
    if (!option->is_operand() && !option->is_hidden()) {
      names.push_back(option->name());
      descriptions.push_back(option->description());
    }
  }
  const std::string meant = nearest_option(name, names, descriptions);
  return "unknown option " + name +
         (meant.empty() ? "" : " (did you mean " + meant + "?)");
}

void App::parse(std::vector<std::string> arguments) {
  std::ranges::reverse(arguments);  // CLI11 takes arguments in reverse order
  try {
    app_->parse(std::move(arguments));
  } catch (const CLI::ArgumentMismatch& error) {
    // CLI11's message is "--head: 1 required N missing".
    const std::string text = error.what();
    throw app::UsageError(text.substr(0, text.find(':')) + " needs a value");
  } catch (const CLI::ExtrasError&) {
    throw app::UsageError(surplus(app_->remaining().front()));
  } catch (const CLI::RequiredError& error) {
    // The user may have misspelt the missing option.
    const auto left = app_->remaining();
    throw app::UsageError(left.empty() ? error.what() : surplus(left.front()));
  } catch (const CLI::ConversionError& error) {
    // CLI11's message is "Could not convert: --causal = maybe".
    std::string text = error.what();
    text = text.substr(text.find("--"));
    if (const auto at = text.find(" = "); at != std::string::npos) {
      text = text.substr(0, at) + ": '" + text.substr(at + 3) + "'";
    }
    throw app::UsageError(text + " (expected true or false)");
  } catch (const CLI::Error& error) {
    throw app::UsageError(error.what());
  }
  for (const auto& option : options_) {
    // An unset shell variable gives an empty value.
    if (!option->is_flag() && std::ranges::count(option->values(), "") > 0) {
      throw app::UsageError(option->name() +
                            (option->is_operand() ? " is empty" : " needs a value"));
    }
  }
  if (on_parsed_) {
    on_parsed_();
  }
}

}  // namespace oa::cli
