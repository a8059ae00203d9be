// Files mapped for reading: whole, and regular ones only.
#include "forge/Checkpoint/MappedFile.h"

#include "forge/Support/AtomicFile.h"
#include "forge/Support/ScratchFolder.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

using namespace forge;

static std::string problemOfFile(const std::string &path) {
  Result<MappedFile> file = MappedFile::open(path);
  return file ? "" : file.error().message;
}

TEST(MappedFile, HasTheBytesOfTheFile) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-mapped"));
  std::string bytes("a\0b", 3);
  ASSERT_TRUE(writeFileAtomically(folder.file("f"), bytes));
  Result<MappedFile> file = MappedFile::open(folder.file("f"));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->bytes(), bytes);
}

// An empty file has nothing to map.
TEST(MappedFile, MayBeEmpty) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-mapped"));
  ASSERT_TRUE(writeFileAtomically(folder.file("f"), ""));
  Result<MappedFile> file = MappedFile::open(folder.file("f"));
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->bytes().empty());
}

// The mapping goes with the object that has it, and outlives the name of the file.
TEST(MappedFile, MovesWithItsBytes) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-mapped"));
  ASSERT_TRUE(writeFileAtomically(folder.file("f"), "first"));
  ASSERT_TRUE(writeFileAtomically(folder.file("g"), "second"));
  Result<MappedFile> f = MappedFile::open(folder.file("f")), g = MappedFile::open(folder.file("g"));
  ASSERT_TRUE(f && g);
  unlink(folder.file("f").c_str());
  MappedFile moved = std::move(*f);
  EXPECT_EQ(moved.bytes(), "first");
  EXPECT_TRUE(f->bytes().empty());
  moved = std::move(*g);
  EXPECT_EQ(moved.bytes(), "second");
}

TEST(MappedFile, NamesWhatIsNoFile) {
  ScratchFolder folder = std::move(*ScratchFolder::create("forge-mapped"));
  std::string none = folder.file("none"), pipe = folder.file("pipe");
  EXPECT_EQ(problemOfFile(none), none + ": cannot open: No such file or directory");
  EXPECT_EQ(problemOfFile(folder.path()), folder.path() + ": expected a regular file");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(problemOfFile(pipe), pipe + ": expected a regular file");
}
