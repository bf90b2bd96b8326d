/// The `receh` command.
@main
struct Receh {
  static func main() {}
}
