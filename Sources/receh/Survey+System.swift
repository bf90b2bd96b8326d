import Announcing
import CModel
import CSystem
import Engine

extension Survey {
  /// Version, model, machine, kernel and user.
  mutating func writeSystem() {
    output.write("Receh\n")
    item("version") { $0.write(Receh.version) }
    item("model") { [configuration] line in
      if configuration.model.count > 0 {
        configuration.model.asCString { line.write(name: $0) }
      } else {
        line.write("built in, ")
        line.write(cmodel_size)
        line.write(" bytes")
      }
    }
    item("kernels") { $0.write(Processor.current.best.name) }
    head("Machine")
    text("board", "/proc/device-tree/model", or: "/sys/class/dmi/id/product_name")
    text("kernel", "/proc/sys/kernel/osrelease")
    text("processors", "/sys/devices/system/cpu/present")
    if let release = tree.read(tree.path("/etc/os-release")) {
      item("system") { $0.write(printable: release.value(of: "PRETTY_NAME=", "\n")) }
    }
    if let memory = tree.read(tree.path("/proc/meminfo")) {
      item("memory") { line in
        line.write(printable: memory.value(of: "MemTotal:", "\n"))
        line.write(" in all, ")
        line.write(printable: memory.value(of: "MemAvailable:", "\n"))
        line.write(" free")
      }
    }
    writeUser()
    lookAtPower()
  }

  /// Writes what the first of two files says, if there is one.
  private mutating func text(
    _ name: StaticString, _ file: StaticString, or other: StaticString? = nil
  ) {
    var found = tree.read(tree.path(file))
    if found == nil, let other { found = tree.read(tree.path(other)) }
    guard let found else { return }
    item(name) { $0.write(printable: found) }
  }

  private mutating func writeUser() {
    item("user") { line in
      var name = NameBuffer(repeating: 0)
      name.withName { csystem_user($0) }
      name.withName { line.write(name: $0) }
      var index: Int32 = 0
      while name.withName({ csystem_group(index, $0) }) {
        line.write(index == 0 ? ", in the groups " : " ")
        name.withName { line.write(name: $0) }
        index += 1
      }
    }
  }

  /// A Raspberry Pi's own sensor remembers that the supply has sagged.
  private mutating func lookAtPower() {
    for monitor in tree.names(in: "/sys/class/hwmon", beginning: "hwmon") {
      let name = tree.read(tree.path("/sys/class/hwmon/", monitor, "/name"))
      guard let name, name.begins(with: "rpi_volt") else { continue }
      if tree.number(tree.path("/sys/class/hwmon/", monitor, "/in0_lcrit_alarm")) == 1 {
        trouble(
          "power", "the supply voltage has been too low, which breaks cameras and cards",
          fix: "use the supply made for this board and a short cable")
      }
    }
  }
}

extension Text {
  /// What follows `key` up to `end`, without blanks and quotation marks around it.
  func value(of key: StaticString, _ end: StaticString) -> Text<256> {
    let length = key.utf8CodeUnitCount
    var value = Text<256>()
    var start = 0
    while start + length <= count {
      var index = 0
      while index < length && self[start + index] == key.utf8Start[index] { index += 1 }
      if index == length && (start == 0 || self[start - 1] == 10) { break }
      start += 1
    }
    var index = start + length
    while index < count && self[index] != end.utf8Start[0] {
      let isEdge = self[index] == 34 || value.count == 0 && self[index] == 32
      if !isEdge { value.append(byte: self[index]) }
      index += 1
    }
    return value
  }
}
