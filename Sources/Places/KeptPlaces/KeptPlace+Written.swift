package import CivilTime

extension KeptPlace {
  /// Returns whether the place has a name that was written at or before a time.
  package func isNamed(asOf time: Instant) -> Bool {
    guard let name = contents?.name else { return false }
    return !name.value.text.isEmpty && name.time <= time.millisecondsSince1970
  }

  /// Returns whether the place has a radius that was written at or before a time.
  package func hasRadius(asOf time: Instant) -> Bool {
    guard let radius = contents?.radius else { return false }
    return radius.value > 0 && radius.time <= time.millisecondsSince1970
  }

  /// Returns the ids of the notes that were written at or before a time.
  package func noteIDs(asOf time: Instant) -> Set<String> {
    let written = contents?.notes.present.filter {
      $0.register.time <= time.millisecondsSince1970
    }
    return Set((written ?? []).map(\.key.text))
  }
}
