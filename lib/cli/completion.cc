#include "cli/completion.h"

#include <algorithm>
#include <array>
#include <vector>

namespace oa::cli {
namespace {

/// An option in the form that shells need.
struct Entry {
  std::string short_name;  // without dash; may be empty
  std::string name;        // with dashes
  std::string description;
  std::string value;  // name of the option's value; empty for a flag
  std::vector<std::string> choices;

  [[nodiscard]] bool takes_file() const {
    constexpr std::array kFiles{"FILE", "MODEL", "IDX", "DATA", "CSV", "A B"};
    return std::ranges::find(kFiles, value) != kFiles.end();
  }
  [[nodiscard]] bool takes_folder() const { return value == "DIR"; }
};

std::vector<Entry> entries_of(const App& app) {
  std::vector<Entry> entries;
  for (const auto& option : app.options()) {
    if (option->is_operand() || option->is_hidden()) {
      continue;
    }
    Entry e;
    e.short_name = option->short_name();
    e.name = option->name();
    e.description = option->description();
    e.value = option->value_name();
    e.choices = option->choices().empty() ? option->examples() : option->choices();
    entries.push_back(std::move(e));
  }
  return entries;
}

/// The first operand, with choices if only certain words are accepted.
Entry first_operand(const App& app) {
  Entry e;
  for (const auto& option : app.options()) {
    if (option->is_operand()) {
      e.name = option->name();
      e.choices = option->choices();
      break;
    }
  }
  return e;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) {
    text += (text.empty() ? "" : " ") + word;
  }
  return text;
}

/// Puts text in single quotes, which bash, zsh and fish all understand.
std::string quoted(std::string text) {
  for (std::size_t at = 0; (at = text.find('\'', at)) != text.npos; at += 4) {
    text.replace(at, 1, "'\\''");
  }
  return "'" + text + "'";
}

/// Writes lines of a bash function that offer the choices of the first operand,
/// unless an earlier word is an operand.
std::string bash_operand(const Entry& operand, const std::vector<Entry>& entries) {
  if (operand.choices.empty()) {
    return {};
  }
  std::string valued;
  for (const Entry& e : entries) {
    if (!e.value.empty()) {
      valued += (valued.empty() ? "" : "|") + e.name +
                (e.short_name.empty() ? "" : "|-" + e.short_name);
    }
  }
  return "  local i operands=0\n"
         "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
         "    case ${COMP_WORDS[i]} in\n"
         "    " +
         valued +
         ") ((i++)) ;;\n"
         "    -?*) ;;\n"
         "    *) operands=1 ;;\n"
         "    esac\n"
         "  done\n"
         "  if [[ $operands == 0 && $cur != -* ]]; then\n"
         "    COMPREPLY=($(compgen -W " +
         quoted(joined(operand.choices)) +
         " -- \"$cur\")); return\n"
         "  fi\n";
}

std::string bash(const std::string& name,
                 const std::vector<Entry>& entries,
                 const Entry& operand) {
  std::string function = "_" + name;
  std::ranges::replace(function, '-', '_');
  std::string cases;
  std::vector<std::string> words;
  for (const Entry& e : entries) {
    words.push_back(e.name);
    if (e.value.empty()) {
      continue;
    }
    cases += "    " + e.name;
    if (!e.short_name.empty()) {
      cases += "|-" + e.short_name;
    }
    cases += ") ";
    if (!e.choices.empty()) {
      cases +=
          "COMPREPLY=($(compgen -W " + quoted(joined(e.choices)) + " -- \"$cur\"))";
    } else if (e.takes_file() || e.takes_folder()) {
      cases += std::string("mapfile -t COMPREPLY < <(compgen ") +
               (e.takes_file() ? "-f" : "-d") + " -- \"$cur\")";
    } else {
      cases += "COMPREPLY=()";
    }
    cases += "; return ;;\n";
  }
  return "# bash completion for " + name + "\n" + function +
         "() {\n"
         "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
         "  case $prev in\n" +
         cases + "  esac\n" + bash_operand(operand, entries) +
         "  if [[ $cur == -* ]]; then\n"
         "    COMPREPLY=($(compgen -W " +
         quoted(joined(words)) +
         " -- \"$cur\"))\n"
         "  else\n"
         "    mapfile -t COMPREPLY < <(compgen -f -- \"$cur\")\n"
         "  fi\n"
         "}\n"
         "complete -o filenames -F " +
         function + " " + name + "\n";
}

/// Escapes brackets and colons, which separate parts of an _arguments specification.
std::string zsh_text(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') {
      out += '\\';
    }
    out += c;
  }
  return out;
}

std::string zsh(const std::string& name,
                const std::vector<Entry>& entries,
                const Entry& operand) {
  std::string text = "#compdef " + name + "\n_arguments -s -S";
  for (const Entry& e : entries) {
    std::string tail = "[" + zsh_text(e.description) + "]";
    if (!e.value.empty()) {
      tail += ":" + e.value + ":";
      tail += !e.choices.empty() ? "(" + joined(e.choices) + ")"
              : e.takes_file()   ? "_files"
              : e.takes_folder() ? "_files -/"
                                 : "";
    }
    text += " \\\n  ";
    if (e.short_name.empty()) {
      text += quoted(e.name + tail);
    } else {
      const std::string both = "-" + e.short_name + " " + e.name;
      text += quoted("(" + both + ")") + "{-" + e.short_name + "," + e.name + "}" +
              quoted(tail);
    }
  }
  if (!operand.choices.empty()) {
    text += " \\\n  '1:" + operand.name + ":(" + joined(operand.choices) + ")'";
  }
  return text + " \\\n  '*:FILE:_files'\n";
}

std::string fish(const std::string& name,
                 const std::vector<Entry>& entries,
                 const Entry& operand) {
  std::string text = "# fish completion for " + name + "\n";
  if (!operand.choices.empty()) {
    text += "complete -c " + name + " -n __fish_use_subcommand -f -a " +
            quoted(joined(operand.choices)) + "\n";
  }
  for (const Entry& e : entries) {
    text += "complete -c " + name;
    if (!e.short_name.empty()) {
      text += " -s " + e.short_name;
    }
    text += " -l " + e.name.substr(2);
    if (!e.choices.empty()) {
      text += " -x -a " + quoted(joined(e.choices));
    } else if (e.takes_file() || e.takes_folder()) {
      text += " -r -F";
    } else if (!e.value.empty()) {
      text += " -x";
    }
    text += " -d " + quoted(e.description) + "\n";
  }
  return text;
}

}  // namespace

std::string completion(std::string_view name, std::string_view shell, const App& app) {
  const auto entries = entries_of(app);
  const Entry operand = first_operand(app);
  const std::string tool(name);
  return shell == "bash"  ? bash(tool, entries, operand)
         : shell == "zsh" ? zsh(tool, entries, operand)
                          : fish(tool, entries, operand);
}

}  // namespace oa::cli
