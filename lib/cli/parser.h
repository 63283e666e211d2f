#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Only parser.cc includes CLI11, whose headers compile slowly.
namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace oa::cli {

/// A condition on an option's value.
struct Check {
  std::function<std::string(const std::string&)> refusal;  ///< error message, or empty
  std::vector<std::string> choices = {};   ///< all accepted texts, if listed
  std::vector<std::string> examples = {};  ///< some accepted texts otherwise
};

/// An option or operand of a command line.
class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}

  // Setters for the declaration; they return the option itself.
  Option* type_name(const std::string& name);  ///< renames its value
  Option* default_str(const std::string& text);
  Option* check(Check check);
  Option* required();
  Option* excludes(Option* other);
  Option* needs(Option* other);
  Option* expected(int values);  ///< number of values after one name
  Option* take_all();            ///< keeps all values, not only the last
  Option* hide();                ///< omits the option from help and completion

  // Getters of the declaration.
  [[nodiscard]] bool is_operand() const;
  [[nodiscard]] bool is_flag() const;
  [[nodiscard]] bool is_required() const;
  [[nodiscard]] bool is_hidden() const { return hidden_; }
  [[nodiscard]] bool takes_many() const;
  [[nodiscard]] std::string name() const;        ///< "--seed", or an operand's name
  [[nodiscard]] std::string short_name() const;  ///< "j" of -j, or empty
  [[nodiscard]] std::string description() const;
  [[nodiscard]] std::string value_name() const;  ///< "FILE"; empty for a flag
  [[nodiscard]] std::string default_text() const;
  [[nodiscard]] const std::vector<std::string>& choices() const { return choices_; }
  [[nodiscard]] const std::vector<std::string>& examples() const { return examples_; }

  // Results of parsing, available even if another argument is invalid.
  [[nodiscard]] std::size_t count() const;
  [[nodiscard]] const std::vector<std::string>& values() const;

 private:
  CLI::Option* option_;
  std::vector<std::string> choices_;
  std::vector<std::string> examples_;
  bool hidden_ = false;
};

/// The options and operands of a tool.
/// The last value of a repeated option counts, so that scripts can append options.
class App {
 public:
  explicit App(std::string_view name);
  App(const App&) = delete;
  App& operator=(const App&) = delete;
  ~App();

  /// Adds an option.  `words` are its names and the name of its value,
  /// "-o,--output FILE"; without dashes it is an operand.  T is text, a number,
  /// an optional number, or a list of texts.  The current `value` is the default.
  template <class T>
  Option* add_option(const std::string& words,
                     T& value,
                     const std::string& description = "");

  /// Adds an option that passes its value to `take`, which may throw app::UsageError.
  Option* add_text(const std::string& words,
                   std::function<void(const std::string&)> take,
                   const std::string& description);

  Option* add_flag(const std::string& names,
                   bool& value,
                   const std::string& description = "");

  /// Adds a flag with an optional text, --name=text.
  Option* add_flag(const std::string& names,
                   bool& value,
                   std::string& text,
                   const std::string& description);

  /// Adds a flag that accepts --name=false; without the flag, `value` stays.
  Option* add_switch(const std::string& names,
                     std::optional<bool>& value,
                     const std::string& description);

  /// Adds a flag of which only the count is used.
  Option* add_flag(const std::string& names, const std::string& description);

  /// Sets a function to call after parsing; it may throw app::UsageError.
  void on_parsed(std::function<void()> call) { on_parsed_ = std::move(call); }

  /// Parses a command line.  Throws app::UsageError.
  void parse(std::vector<std::string> arguments);

  /// The options, in their order of declaration.
  [[nodiscard]] const std::vector<std::unique_ptr<Option>>& options() const {
    return options_;
  }

  /// The operand that defaults to standard input, or null.
  Option* input_operand = nullptr;

 private:
  Option* keep(CLI::Option* option, const std::string& words = "");
  /// The error message about an unknown argument.
  [[nodiscard]] std::string surplus(const std::string& argument) const;

  std::unique_ptr<CLI::App> app_;
  std::vector<std::unique_ptr<Option>> options_;
  std::function<void()> on_parsed_;
};

}  // namespace oa::cli
