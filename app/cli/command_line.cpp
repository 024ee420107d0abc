#include "command_line.h"

#include <CLI/CLI.hpp>

namespace shardwright::cli {

namespace {

CLI::Option* in_group(CLI::Option* option, const std::string& group) {
    return group.empty() ? option : option->group(group);
}

}  // namespace

void CommandLine::flag(const char* name, bool& value, const char* help) {
    in_group(app_.add_flag(name, value, help), group_);
}

void CommandLine::text(const char* name, std::string& value, const char* help) {
    in_group(app_.add_option(name, value, help), group_);
}

void CommandLine::required(const char* name, std::string& value, const char* help) {
    in_group(app_.add_option(name, value, help), group_)->required();
}

void CommandLine::choice(const char* name, std::string& value, const char* help,
                         std::initializer_list<const char*> choices) {
    in_group(app_.add_option(name, value, help), group_)
        ->check(CLI::IsMember(std::vector<std::string>(choices.begin(), choices.end())));
}

void CommandLine::repeated(const char* name, std::vector<std::string>& values, const char* help) {
    in_group(app_.add_option(name, values, help), group_)->allow_extra_args(false);
}

void CommandLine::rest(const char* name, std::vector<std::string>& values, const char* help) {
    in_group(app_.add_option(name, values, help), group_);
}

void CommandLine::count(const char* name, std::int64_t& value, const char* help) {
    in_group(app_.add_option(name, value, help), group_)->check(CLI::NonNegativeNumber);
}

void CommandLine::real(const char* name, double& value, const char* help) {
    in_group(app_.add_option(name, value, help), group_);
}

Program::Program(const char* what, const char* version) : app_(std::make_unique<CLI::App>(what)) {
    app_->set_version_flag("--version", version);
    app_->require_subcommand(1);
    app_->get_formatter()->column_width(34);
}

Program::~Program() = default;

CommandLine Program::add(const char* name, const char* what) {
    return CommandLine(*app_->add_subcommand(name, what));
}

void Program::add_hidden(const char* name) {
    app_->add_subcommand(name, "")->group("")->allow_extras();
}

Program::Choice Program::parse(int argc, char** argv) {
    try {
        app_->parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        // Help and version leave with 0; every other fault of usage is 2.
        return {"", app_->exit(e) == 0 ? 0 : 2};
    }
    for (const CLI::App* command : app_->get_subcommands()) return {command->get_name(), 0};
    return {"", 2};
}

}  // namespace shardwright::cli
