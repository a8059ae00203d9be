#include "Elf.h"

#include <cstdint>
#include <cstring>

std::string forge::rt::checkElf(std::string_view bytes, unsigned machine, const char *machineName) {
  // System V ABI, chapter 4: the 64-byte header of an ELF-64 file, little-endian.
  auto read = [&](size_t offset, size_t width) {
    uint64_t value = 0;
    std::memcpy(&value, bytes.data() + offset, width);
    return value;
  };
  if (bytes.size() < 64 || !bytes.starts_with("\177ELF"))
    return std::string("expected an ELF file for ") + machineName;
  if (read(4, 1) != 2)
    return "expected a 64-bit ELF file";
  if (read(18, 2) != machine)
    return "expected an ELF file for " + std::string(machineName) + " (machine " +
           std::to_string(machine) + "), but got machine " + std::to_string(read(18, 2));
  uint64_t sections = read(40, 8), sectionBytes = read(58, 2) * read(60, 2);
  if (sections > bytes.size() || sectionBytes > bytes.size() - sections)
    return "the ELF file is cut off: its section table ends at byte " +
           std::to_string(sections + sectionBytes) + ", but it has " + std::to_string(bytes.size());
  return "";
}
