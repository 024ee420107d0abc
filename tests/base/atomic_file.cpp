// Outputs replace files whole, and never replace what is no file.
#include "base/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>

#include "registry.h"

using namespace shardwright;

class AtomicFile : public QObject {
    Q_OBJECT
    QTemporaryDir folder_;

    std::string at(const char* name) const { return folder_.filePath(name).toStdString(); }
    static QByteArray read(const std::string& path) {
        QFile file(QString::fromStdString(path));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(cannot be read)");
    }
    /// Temporaries that a write left behind.
    int leftovers() const {
        return static_cast<int>(QDir(folder_.path()).entryList({"*.part"}).size());
    }

  private Q_SLOTS:
    void replaces_whole_and_keeps_permissions() {
        const std::string path = at("plan.json");
        QVERIFY(write_file_atomically(path, "a longer first text").ok());
        QCOMPARE(::chmod(path.c_str(), 0640), 0);
        QVERIFY(write_file_atomically(path, "second").ok());
        QCOMPARE(read(path), QByteArray("second"));
        struct stat there = {};
        QCOMPARE(::stat(path.c_str(), &there), 0);
        QCOMPARE(there.st_mode & 07777, mode_t{0640});
        QCOMPARE(leftovers(), 0);
    }

    void links_stay_and_their_targets_are_written() {
        QVERIFY(QDir(folder_.path()).mkpath("deep"));
        const std::string target = at("deep/real.json");
        QCOMPARE(::symlink("deep/real.json", at("link").c_str()), 0);  // dangling at first
        QCOMPARE(::symlink("link", at("link_to_link").c_str()), 0);
        for (const char* text : {"first", "second"}) {
            QVERIFY(write_file_atomically(at("link_to_link"), text).ok());
            QCOMPARE(read(target), QByteArray(text));
        }
        QVERIFY(QFileInfo(folder_.filePath("link")).isSymLink());
        QVERIFY(QFileInfo(folder_.filePath("link_to_link")).isSymLink());
        QCOMPARE(::symlink("circle", at("circle").c_str()), 0);
        QVERIFY(!write_file_atomically(at("circle"), "x").ok());
    }

    void a_pipe_is_written_to_and_stays_a_pipe() {
        const std::string path = at("pipe");
        QCOMPARE(::mkfifo(path.c_str(), 0600), 0);
        const int reader = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
        QVERIFY(reader >= 0);
        QVERIFY(write_file_atomically(path, "through").ok());
        char bytes[16] = {};
        QCOMPARE(::read(reader, bytes, sizeof bytes), ssize_t{7});
        QCOMPARE(QByteArray(bytes), QByteArray("through"));
        ::close(reader);
        struct stat there = {};
        QVERIFY(::stat(path.c_str(), &there) == 0 && S_ISFIFO(there.st_mode));
        QCOMPARE(leftovers(), 0);
    }

    void a_device_stays_and_its_fault_is_reported() {
        struct stat there = {};
        if (::stat("/dev/full", &there) != 0 || !S_ISCHR(there.st_mode))
            QSKIP("1 case skipped: no /dev/full");
        QCOMPARE(::symlink("/dev/full", at("full").c_str()), 0);
        const Status full = write_file_atomically(at("full"), "anything");
        QVERIFY(!full.ok());
        QVERIFY(full.error().text().find("No space left") != std::string::npos);
        QVERIFY(::stat("/dev/full", &there) == 0 && S_ISCHR(there.st_mode));
        QVERIFY(QFileInfo(folder_.filePath("full")).isSymLink());
    }

    void folders_and_missing_folders_are_errors() {
        QVERIFY(!write_file_atomically(folder_.path().toStdString(), "x").ok());
        QVERIFY(!write_file_atomically(at("none/file"), "x").ok());
        QVERIFY(!write_file_atomically("", "x").ok());
        QCOMPARE(leftovers(), 0);
    }

    void a_deleted_file_is_written_through_its_descriptor() {
        const std::string path = at("gone");
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT, 0600);
        QVERIFY(file >= 0);
        QCOMPARE(::unlink(path.c_str()), 0);
        QVERIFY(write_file_atomically("/proc/self/fd/" + std::to_string(file), "kept").ok());
        char bytes[8] = {};
        QCOMPARE(::pread(file, bytes, sizeof bytes, 0), ssize_t{4});
        QCOMPARE(QByteArray(bytes), QByteArray("kept"));
        ::close(file);
    }
};

SHARDWRIGHT_TEST(AtomicFile, "atomic_file")
#include "atomic_file.moc"
