/// The user, the group and the mode of a file.
package struct FileOwner: CustomStringConvertible {
  package var user: String
  package var group: String
  package var mode: UInt32

  package init(user: String, group: String, mode: UInt32) {
    (self.user, self.group, self.mode) = (user, group, mode)
  }

  package var description: String { Ownership.words(user, group, mode) }

  /// Returns whether `other`, a member of `groups`, has all permissions in `bits`.
  ///
  /// The bits are 4 for read, 2 for write and 1 for search.
  package func lets(_ other: String, in groups: Set<String>, do bits: UInt32) -> Bool {
    let shift: UInt32 = user == other ? 6 : groups.contains(group) ? 3 : 0
    return mode >> shift & bits == bits
  }
}
