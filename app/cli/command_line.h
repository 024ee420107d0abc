#pragma once
// A command's options as the commands declare them. Only command_line.cpp sees CLI11: its templates
// cost more compile time than a whole command.

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
}  // namespace CLI

namespace shardwright::cli {

/// Declares options of one (sub-)command. Each call binds a variable, which keeps its value as the
/// default when the option is not given and must live until the command line has been parsed.
/// Names are `--long`, `-s,--long`, or `NAME` for a positional argument.
class CommandLine {
  public:
    explicit CommandLine(CLI::App& app) : app_(app) {}

    /// Options declared from here on are listed under this heading in the help.
    void group(std::string heading) { group_ = std::move(heading); }
    void flag(const char* name, bool& value, const char* help);
    void text(const char* name, std::string& value, const char* help);
    void required(const char* name, std::string& value, const char* help);
    /// One of `choices`; anything else is a usage error.
    void choice(const char* name, std::string& value, const char* help,
                std::initializer_list<const char*> choices);
    /// An option that may be repeated, each time with one value.
    void repeated(const char* name, std::vector<std::string>& values, const char* help);
    /// All remaining positional arguments.
    void rest(const char* name, std::vector<std::string>& values, const char* help);
    /// An integer, zero or more.
    void count(const char* name, std::int64_t& value, const char* help);
    void real(const char* name, double& value, const char* help);

  private:
    CLI::App& app_;
    std::string group_;
};

/// The whole program's command line: the sub-commands, and the choice of one.
class Program {
  public:
    Program(const char* what, const char* version);
    ~Program();
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    /// Declares a sub-command; the result declares its options.
    CommandLine add(const char* name, const char* what);
    /// A sub-command that takes any arguments and is not listed in the help.
    void add_hidden(const char* name);
    /// Parses; prints help, version or the fault itself. Gives the name of the sub-command to run,
    /// or leaves it empty with the exit code to end with.
    struct Choice {
        std::string command;
        int exit_code = 0;
    };
    Choice parse(int argc, char** argv);

  private:
    std::unique_ptr<CLI::App> app_;
};

}  // namespace shardwright::cli
