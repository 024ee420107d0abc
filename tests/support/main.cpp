// Entry point of every test program. Tests of the views make a QApplication, all others none.
#include "registry.h"

#ifndef SHARDWRIGHT_TEST_WIDGETS
#include <QCoreApplication>
#else
#include <QApplication>
#endif

int main(int argc, char** argv) {
#ifdef SHARDWRIGHT_TEST_WIDGETS
    QApplication application(argc, argv);
#else
    QCoreApplication application(argc, argv);
#endif
    return shardwright::test::run_tests(argc, argv);
}
