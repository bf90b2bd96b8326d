/// A model file in memory the caller owns, completely checked.
///
/// The memory must stay as it is for as long as the model, or a `Graph` made of it, is in use.
public struct Model: @unchecked Sendable {
  let file: ModelFile

  /// Checks the file: header, checksum, every record, every graph. Reads nothing outside `bytes`
  /// and allocates nothing.
  ///
  /// - Parameter bytes: the whole file, at any alignment.
  /// - Throws: `ModelError`, naming the record at fault.
  public init(_ bytes: UnsafeRawBufferPointer) throws(ModelError) {
    file = try ModelFile(bytes)
    for index in 0..<file.count(.graphs) {
      let record = try GraphRecord(file, index: index)
      for other in 0..<index {
        let earlier = try GraphRecord(file, index: other)
        if record.name == earlier.name {
          throw ModelError(.graph, .nameRepeated, graph: index)
        }
      }
      try GraphValidation(file: file, graph: index, record: record).run()
    }
    try checkLabels()
    try checkParameters()
  }

  /// The file's checksum, by which models can be told apart.
  public var checksum: UInt32 { file.checksum }

  /// How many faces the label table has.
  public var labelCount: Int { file.count(.labels) }

  /// The face a logit stands for. Precondition: `0 <= index < labelCount`.
  public func label(_ index: Int) -> Label {
    guard let label = try? readLabel(index) else { preconditionFailure("label out of range") }
    return label
  }

  /// The parameter of that name.
  ///
  /// - Throws: `ModelError` when the model has no such parameter.
  public func parameter(_ name: StaticString) throws(ModelError) -> Float {
    for index in 0..<file.count(.parameters) {
      let row = try readParameter(index)
      if row.name == name { return row.value }
    }
    throw ModelError(.parameter, .notFound)
  }

  /// The number of the graph of that name.
  func graphIndex(_ name: StaticString) throws(ModelError) -> Int {
    for index in 0..<file.count(.graphs) {
      let record = try GraphRecord(file, index: index)
      if record.name == name { return index }
    }
    throw ModelError(.graph, .notFound)
  }

  private func readLabel(_ index: Int) throws(ModelError) -> Label {
    let offset = file.offset(.labels, index)
    guard let name = file.text(offset, ModelFormat.labelNameBytes),
      let kind = file.text(offset + 32, ModelFormat.labelKindBytes),
      let metal = file.text(offset + 48, ModelFormat.labelMetalBytes)
    else { throw ModelError(.label, .nameMalformed, index: index) }
    let flags = file.u32(offset + 88)
    guard flags <= 1 else { throw ModelError(.label, .flagUnknown, index: index) }
    guard file.u32(offset + 92) == 0 else {
      throw ModelError(.label, .reservedNotZero, index: index)
    }
    let diameter = file.f32(offset + 84)
    guard diameter.isFinite && diameter >= 0, let value = Int32(exactly: file.u32(offset + 80))
    else { throw ModelError(.label, .valueNotFinite, index: index) }
    return Label(
      name: name, kind: kind, metal: metal, value: value, diameter: diameter,
      isWithdrawn: flags == 1)
  }

  private func checkLabels() throws(ModelError) {
    for index in 0..<labelCount {
      let label = try readLabel(index)
      for other in 0..<index {
        let earlier = try readLabel(other)
        if label.name == earlier.name { throw ModelError(.label, .nameRepeated, index: index) }
      }
    }
  }

  private func readParameter(_ index: Int) throws(ModelError) -> (name: ModelText, value: Float) {
    let offset = file.offset(.parameters, index)
    guard let name = file.text(offset, ModelFormat.parameterNameBytes) else {
      throw ModelError(.parameter, .nameMalformed, index: index)
    }
    let value = file.f32(offset + 32)
    guard value.isFinite else { throw ModelError(.parameter, .valueNotFinite, index: index) }
    guard file.u32(offset + 36) == 0 else {
      throw ModelError(.parameter, .reservedNotZero, index: index)
    }
    return (name, value)
  }

  private func checkParameters() throws(ModelError) {
    for index in 0..<file.count(.parameters) {
      let row = try readParameter(index)
      for other in 0..<index {
        let earlier = try readParameter(other)
        if row.name == earlier.name {
          throw ModelError(.parameter, .nameRepeated, index: index)
        }
      }
    }
  }
}

/// A face the classifier knows: one row of the model's table.
public struct Label: Sendable {
  /// Such as `500-2003-garuda`.
  public let name: ModelText
  /// What sort of thing it is, such as `rupiah`.
  public let kind: ModelText
  /// What it is made of, such as `aluminium`.
  public let metal: ModelText
  /// Face value in rupiah; 0 for anything that is not rupiah.
  public let value: Int32
  /// Diameter of the coin in millimetres; 0 where there is none to give.
  public let diameter: Float
  /// Whether the coin has been withdrawn from circulation.
  public let isWithdrawn: Bool
}
