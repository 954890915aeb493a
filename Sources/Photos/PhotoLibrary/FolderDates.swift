/// The dates at the start and at the end of a folder's name.
enum FolderDates {
  /// Returns a name without the dates at its start and end, and without a preposition before a
  /// removed date; empty if it is only a date.
  ///
  /// A date is a year with or without a month and a day, in figures or with the month's name, or a
  /// range of dates. Figures without a year are a date only if nothing else is in the name.
  static func removed(from name: String) -> String {
    let words = withoutRangeEnds(name.split(separator: " "))
    var kinds = words.map { kind(of: String($0)) }
    for place in words.indices
    where shortWeekdays.contains(words[place].lowercased().filter(\.isLetter)) {
      let isBesideDate = [place - 1, place + 1].filter(kinds.indices.contains).contains {
        kinds[$0] == .month || kinds[$0].isNumber
          || kinds[$0] == .date && words[$0].count(where: \.isNumber) > 4
      }
      if kinds[place] == .other, isBesideDate { kinds[place] = .sign }
    }
    // `11 de mayo de 2019`.
    let isOnlyDate = zip(words, kinds).allSatisfy { word, kind in
      kind != .other || fillers.contains(word.lowercased())
    }
    if isOnlyDate, kinds.contains(where: { $0 == .date || $0 == .month }) { return "" }
    let places = datePlaces(words, kinds)
    let parts = places.map { kinds[$0] }
    let first = datesAtStart(parts)
    let start = first < places.count ? places[first] : words.count
    var end = words.count
    if start < end {
      let rest = Array(parts[first...].reversed())
      let count = datesAtEnd(rest)
      if count > 0 { end = places[places.count - count] }
      // `Class of 1999`, `Back to 1984`.
      let isName =
        count == 1 && end == words.count - 1 && end > start + 1 && words[end].count == 4
        && ["of", "to"].contains(words[end - 1].lowercased())
      if isName { end = words.count }
      if count > 0, !isName, end > start, prepositions.contains(words[end - 1].lowercased()) {
        end -= 1
      }
    }
    var name = words[min(start, end)..<end].joined(separator: " ")
    // A comma that stood before a removed date.
    if end < words.count, let last = name.last, ",;:".contains(last) { name.removeLast() }
    return name
  }

  /// Returns the places of words without those inside a date: `de` in `14 de mayo de 2019`, and the
  /// end of a range of days as in `11 to 14 May`.
  private static func datePlaces(_ words: [Substring], _ kinds: [Kind]) -> [Int] {
    func isPart(_ place: Int) -> Bool {
      kinds.indices.contains(place)
        && (kinds[place] == .date || kinds[place] == .month || kinds[place].isNumber)
    }
    var places = words.indices.filter { place in
      !(fillers.contains(words[place].lowercased()) && isPart(place - 1) && isPart(place + 1))
    }
    for place in places.indices.dropFirst().dropLast().reversed() {
      guard place + 1 < places.count, kinds[places[place]] == .joint,
        kinds[places[place - 1]].isNumber, kinds[places[place + 1]].isNumber
      else { continue }
      let neighbors = [place - 2, place + 2].filter(places.indices.contains)
      if neighbors.contains(where: { kinds[places[$0]] == .month }) {
        places.remove(at: place + 1)
        places.remove(at: place)
      }
    }
    return places
  }

  /// Returns words without the ends of ranges of days or months behind a date: `2019-05-11 - 14`,
  /// `2019-05 bis 06`, `2019-05-11~14`.
  private static func withoutRangeEnds(_ words: [Substring]) -> [Substring] {
    var kept: [Substring] = []
    var place = 0
    while place < words.count {
      var word = words[place]
      place += 1
      if let mark = word.firstIndex(where: { "~+&/–—".contains($0) }),
        ends(word[mark...].dropFirst(), rangeFrom: word[..<mark])
      {
        word = word[..<mark]
      } else if place + 1 < words.count, isBetweenDates(words[place]),
        ends(words[place + 1], rangeFrom: word)
      {
        place += 2
      }
      kept.append(word)
    }
    return kept
  }

  private static func isBetweenDates(_ word: Substring) -> Bool {
    word.allSatisfy { "-–—~+&/".contains($0) } || joints.contains(word.lowercased())
  }

  /// Returns whether a word is a later day or month than that of a date such as `2019-05-11` or
  /// `2019-05`, or such a day with its month, as `05-14`.
  private static func ends(_ word: Substring, rangeFrom date: Substring) -> Bool {
    func numbers(_ text: Substring, _ counts: [[Int]]) -> [Int]? {
      let parts = text.split(omittingEmptySubsequences: false) { "-._".contains($0) }
      guard counts.contains(parts.map(\.count)) else { return nil }
      let numbers = parts.compactMap { Int($0) }
      return numbers.count == parts.count ? numbers : nil
    }
    guard let start = numbers(date, [[4, 2], [4, 2, 2]]),
      let end = numbers(word, [[1], [2], [2, 2]])
    else { return false }
    if end.count == 2 { return start.count == 3 && end[0] <= 12 && end[1] <= 31 }
    return start[start.count - 1] < end[0] && end[0] <= (start.count == 3 ? 31 : 12)
  }

  /// The part that a word of a name plays in a date.
  enum Kind: Equatable {
    /// A date with a year.
    case date
    /// A month by its name, with or without a day.
    case month
    /// One or two digits; padded if it begins with a zero.
    case number(isPadded: Bool)
    /// A sign between dates.
    case sign
    /// A word between dates.
    case joint
    case other

    var isNumber: Bool { if case .number = self { true } else { false } }
  }

  /// Returns the number of words at the start that are dates.
  private static func datesAtStart(_ kinds: [Kind]) -> Int {
    var place = kinds.prefix { $0 == .sign }.count
    var end = 0
    while place < kinds.count {
      var next = place
      var hasDate = false
      // `11 May 2019`, `May 2019`, `2019`.
      while next < kinds.count, kinds[next] == .month || kinds[next].isNumber { next += 1 }
      if next < kinds.count, next - place <= 2, kinds[next] == .date,
        next == place || kinds[place..<next].contains(.month)
      {
        next += 1
        hasDate = true
      }
      guard hasDate else { break }
      // `2019 05 11`, `2019 05`, `2019 May 11`.
      let numbers = kinds[next...].prefix { $0.isNumber || $0 == .month }.count
      let isDay = numbers == 2 || numbers > 2
      if isDay {
        next += 2
      } else if numbers == 1, kinds[next] != .number(isPadded: false) {
        next += 1
      }
      end = next
      place = next
      while place < kinds.count, kinds[place] == .sign { place += 1 }
      end = place
      if place < kinds.count, kinds[place] == .joint { place += 1 }
    }
    return end
  }

  /// Returns the number of words at the end that are dates, for kinds in reversed order.
  private static func datesAtEnd(_ kinds: [Kind]) -> Int {
    var end = 0
    var place = 0
    while place < kinds.count {
      var next = place
      // `2019 05 11` with the year first.
      let numbers = kinds[next...].prefix { $0.isNumber }.count
      if numbers > 0, numbers <= 2, next + numbers < kinds.count, kinds[next + numbers] == .date,
        numbers == 2 || kinds[next] == .number(isPadded: true)
      {
        next += numbers
      }
      guard next < kinds.count, kinds[next] == .date else { break }
      next += 1
      // `11 May 2019`, `May 2019`.
      if next < kinds.count, kinds[next] == .month {
        next += 1
        if next < kinds.count, kinds[next].isNumber { next += 1 }
      } else if next + 1 < kinds.count, kinds[next].isNumber, kinds[next + 1] == .month {
        next += 2
      }
      while next < kinds.count, kinds[next] == .sign { next += 1 }
      end = next
      place = next
      if place < kinds.count, kinds[place] == .joint { place += 1 }
    }
    return end
  }

  // MARK: - Words

  private static func kind(of word: String) -> Kind {
    let lower = word.lowercased()
    if lower.allSatisfy({ "-–—.,~+&/|".contains($0) }) { return .sign }
    if joints.contains(lower) { return .joint }
    let trimmed = lower.drop { "([".contains($0) }
    var plain = String(trimmed.reversed().drop { ")],.:".contains($0) }.reversed())
    if weekdays.contains(plain) { return .sign }
    // A time of day: `14h30`.
    let hour = plain.split(separator: "h", omittingEmptySubsequences: false)
    if hour.count == 2, (1...2).contains(hour[0].count), [0, 2].contains(hour[1].count),
      hour.allSatisfy({ $0.allSatisfy(\.isNumber) })
    {
      return .sign
    }
    // The time in `2019-05-11T12:30:45`.
    if plain.first?.isNumber == true, let letter = plain.firstIndex(of: "t"),
      plain[letter...].dropFirst().first?.isNumber == true
    {
      plain = String(plain[..<letter])
    }
    let parts = plain.split { "-–._/年月日년월일".contains($0) }.map(String.init)
    guard !parts.isEmpty, parts.count <= 8 else { return .other }
    let kinds = parts.flatMap(partKinds)
    if kinds.contains(.other) { return .other }
    if kinds.contains(.date) { return .date }
    if kinds.contains(.month) { return .month }
    if kinds.count == 3 {
      // `11.05.19`, in any order.
      let numbers = parts.compactMap { Int($0) }
      return numbers.count == 3 && numbers.contains { (1...12).contains($0) } ? .date : .other
    }
    // `5月`, or a range of days such as `11-14`.
    if kinds.count <= 2, plain.contains(where: { "月월".contains($0) }) { return .month }
    // A range of days such as `11-14`.
    let days = parts.compactMap { Int($0) }
    if days.count == 2, kinds.count == 2, days[0] < days[1], days[1] <= 31, plain.contains("-") {
      return .number(isPadded: false)
    }
    return kinds.count == 1 ? kinds[0] : .other
  }

  /// Returns the kinds of a part of a word without separators: a number, a month, `11may2019`.
  private static func partKinds(_ part: String) -> [Kind] {
    let digits = part.prefix { $0.isASCII && $0.isNumber }
    if digits.count < part.count, !digits.isEmpty {
      let letters = part.dropFirst(digits.count)
      // `11th`, `11may`, `2019t120000`.
      if ["st", "nd", "rd", "th", "er", "e", "º", "ª"].contains(String(letters)) {
        return numberKinds(digits)
      }
      return numberKinds(digits) + partKinds(String(letters))
    }
    if digits.isEmpty {
      let letters = part.prefix { !($0.isASCII && $0.isNumber) }
      guard months.contains(String(letters)) else { return [.other] }
      let rest = part.dropFirst(letters.count)
      return [.month] + (rest.isEmpty ? [] : numberKinds(rest))
    }
    return numberKinds(digits)
  }

  private static func numberKinds(_ digits: Substring) -> [Kind] {
    guard let number = Int(digits) else { return [.other] }
    switch digits.count {
    case 1, 2:
      return number <= 31 || digits.count == 2 ? [.number(isPadded: digits.first == "0")] : [.other]
    case 4: return isYear(number) ? [.date] : [.other]
    case 6:
      let isMonth = isYear(number / 100) && (1...12).contains(number % 100)
      return isMonth || isDay(number % 10_000) ? [.date] : [.other]
    case 8: return isYear(number / 10_000) && isDay(number % 10_000) ? [.date] : [.other]
    default: return [.other]
    }
  }

  /// Returns whether a number is a year in which photos can have been taken.
  private static func isYear(_ number: Int) -> Bool { (1826...2099).contains(number) }

  private static func isDay(_ number: Int) -> Bool {
    (1...12).contains(number / 100) && (1...31).contains(number % 100)
  }

  private static func words(_ text: String) -> Set<String> {
    Set(text.split { $0 == " " || $0 == "\n" }.map(String.init))
  }

  private static let joints = words(
    "to bis until till through and und et y e à au al a tot til до по do")
  private static let prepositions = words(
    """
    from of in von vom aus im de du des da del dal van uit från fra af i из за от z ze w od iz \
    d' di do dos das pe din en til til z-roku vuodelta
    """)
  /// Words inside a date that is a whole name.
  private static let fillers = words("de del of le the den am el di год года г. рік року roku")
  private static let weekdays = words(
    """
    monday tuesday wednesday thursday friday saturday sunday \
    montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag \
    lundi mardi mercredi jeudi vendredi samedi dimanche \
    lunes martes miércoles jueves viernes sábado domingo \
    lunedì martedì mercoledì giovedì venerdì sabato domenica \
    maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
    """)
  private static let shortWeekdays = words(
    """
    sun mon tue tues wed thu thur thurs fri sat mo di mi fr sa so lun mié jue vie sáb dom jeu ven \
    sam dim gio
    """)
  private static let months = words(
    """
    q kw cw week woche semaine semana settimana vecka uke uge viikko týden \
    january february march april may june july august september october november december \
    jan feb mar apr jun jul aug sep sept oct nov dec \
    januar februar märz mai juni juli oktober dezember jän jänner mär mrz okt dez maerz \
    janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr avr \
    juil déc fevrier aout decembre \
    enero febrero marzo abril mayo junio julio agosto septiembre setiembre octubre noviembre \
    diciembre ene abr ago dic \
    janeiro fevereiro março maio junho julho setembro outubro novembro dezembro fev mai out dez set \
    gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug ott \
    januari februari maart mei augustus mrt \
    maj augusti marts \
    styczeń luty marzec kwiecień czerwiec lipiec sierpień wrzesień październik listopad grudzień \
    leden únor březen duben květen červen červenec srpen září říjen prosinec \
    január február marec apríl máj jún júl október \
    január március április május június július augusztus szeptember \
    ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie decembrie \
    tammikuu helmikuu maaliskuu huhtikuu toukokuu kesäkuu heinäkuu elokuu syyskuu lokakuu marraskuu \
    joulukuu ocak şubat mart nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık \
    январь февраль март апрель май июнь июль август сентябрь октябрь ноябрь декабрь \
    января февраля марта апреля мая июня июля августа сентября октября ноября декабря \
    ledna února března dubna května června července srpna října listopadu prosince \
    stycznia lutego marca kwietnia maja czerwca lipca sierpnia września października listopada \
    grudnia januára februára apríla mája júna júla augusta septembra októbra novembra decembra \
    januarja februarja aprila junija julija avgusta oktobra marec junij julij avgust \
    siječanj siječnja veljača veljače ožujak ožujka travanj travnja svibanj svibnja lipanj lipnja \
    srpanj srpnja kolovoz kolovoza rujan rujna listopad studeni studenoga prosinac prosinca \
    gener febrer març abril maig juny juliol agost setembre octubre desembre \
    jaanuar veebruar märts aprill juuni juuli oktoober detsember \
    januári februári tháng maret agustus desember tammikuuta helmikuuta maaliskuuta huhtikuuta \
    toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta joulukuuta \
    sausio vasario kovo balandžio gegužės birželio liepos rugpjūčio rugsėjo spalio lapkričio gruodžio \
    ιανουάριος φεβρουάριος μάρτιος απρίλιος μάιος ιούνιος ιούλιος αύγουστος σεπτέμβριος οκτώβριος \
    νοέμβριος δεκέμβριος ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου μαίου ιουνίου ιουλίου \
    αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου \
    януари февруари юни юли септември октомври ноември декември \
    січня лютого березня квітня травня червня липня серпня вересня жовтня листопада грудня \
    січень лютий березень квітень травень червень липень серпень вересень жовтень грудень
    """)
}
