#pragma once
// One test program holds several QtTest classes. A file `halo.cpp` in tests/partition says
//   class Halo : public QObject { Q_OBJECT private slots: … };
//   SHARDWRIGHT_TEST(Halo, "halo")
//   #include "halo.moc"
// and ctest runs it as `test_partition halo`; without a name, all classes of the program run.

#include <QObject>
#include <QtTest>
#include <functional>
#include <memory>
#include <string>

namespace shardwright::test {

using Factory = std::function<std::unique_ptr<QObject>()>;
/// Registers a test class under its file's name; returns true so that it can initialise a static.
bool register_test(const char* name, Factory factory);
/// Runs the class named by the first argument (or all); extra arguments go to QtTest. An unknown
/// name fails.
int run_tests(int argc, char** argv);

/// The folder of peers' cases: `SHARDWRIGHT_CASES`, or `../shared/cases` beside the checkout; empty
/// when absent (tests then skip, with a printed count).
std::string cases_folder();
/// The whole text of a file; empty when it cannot be read.
std::string read_text(const std::string& path);

}  // namespace shardwright::test

#define SHARDWRIGHT_TEST(Class, name)      \
    static const bool registered_##Class = \
        shardwright::test::register_test(name, [] { return std::make_unique<Class>(); });
