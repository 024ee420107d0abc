#include "registry.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

namespace shardwright::test {
namespace {

std::map<std::string, Factory>& factories() {
    static std::map<std::string, Factory> all;
    return all;
}

}  // namespace

bool register_test(const char* name, Factory factory) {
    return factories().emplace(name, std::move(factory)).second;
}

int run_tests(int argc, char** argv) {
    std::string wanted;
    std::vector<char*> arguments{argv[0]};
    for (int i = 1; i < argc; ++i) {
        if (i == 1 && argv[i][0] != '-')
            wanted = argv[i];
        else
            arguments.push_back(argv[i]);
    }
    int failures = 0, run = 0;
    for (const auto& [name, factory] : factories()) {
        if (!wanted.empty() && name != wanted) continue;
        const std::unique_ptr<QObject> object = factory();
        failures +=
            QTest::qExec(object.get(), static_cast<int>(arguments.size()), arguments.data());
        ++run;
    }
    if (run == 0) {
        std::fprintf(stderr, "no test class named '%s' in this program\n", wanted.c_str());
        return 1;
    }
    return failures == 0 ? 0 : 1;
}

std::string cases_folder() {
    namespace fs = std::filesystem;
    if (const char* given = std::getenv("SHARDWRIGHT_CASES"); given && fs::is_directory(given))
        return given;
    const fs::path beside = fs::path(SHARDWRIGHT_SOURCE_DIR) / ".." / "shared" / "cases";
    std::error_code ignored;
    return fs::is_directory(beside, ignored) ? fs::weakly_canonical(beside).string()
                                             : std::string();
}

std::string read_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace shardwright::test
