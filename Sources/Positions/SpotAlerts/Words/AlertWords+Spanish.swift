import LocationFeeds
import SpotWatcher

extension AlertWords {
  /// The Spanish words.
  static let spanish = AlertWords(
    compassPoints: [
      "norte", "noreste", "este", "sureste", "sur", "suroeste", "oeste", "noroeste",
    ],
    decimalPoint: ",",
    away: { "\($0) al \($1)" },
    rightHere: "aquí mismo",
    photos: { $0 == 1 ? "1 foto" : "\($0) fotos" },
    moreSpots: { $0 == 1 ? "y 1 lugar más" : "y \($0) lugares más" },
    alsoSpot: { name, others in
      switch others {
      case 0: "también \(name)"
      case 1: "también \(name) y 1 lugar más"
      default: "también \(name) y \(others) lugares más"
      }
    },
    face: { "Mira al \($0)" },
    taken: { "Tomada a \($0)" },
    anniversary: { "\($1 ? "hoy" : "esta semana") hace \($0) \($0 == 1 ? "año" : "años")" },
    lastYearsAgo: { "la última hace \($0) \($0 == 1 ? "año" : "años")" },
    lastDaysAgo: {
      $0 == 0 ? "la última hoy" : "la última hace \($0) \($0 == 1 ? "día" : "días")"
    },
    title: "Aquí hiciste una foto",
    placeTitle: "Un lugar tuyo",
    takeAgain: "Repetir la foto",
    mute: "Silenciar",
    notNow: "Ahora no",
    accuracy: { accuracy in
      switch accuracy {
      case .excellent: "posición excelente"
      case .good: "posición buena"
      case .acceptable: "posición aceptable"
      case .marginal: "posición dudosa"
      case .poor: "posición mala"
      }
    },
    date: { day, month in
      let months = [
        "enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
        "octubre", "noviembre", "diciembre",
      ]
      return "\(day) de \(months[month - 1])"
    },
    digestTitle: { "Tus lugares, \($0)" },
    fired: { $0 == 1 ? "1 aviso" : "\($0) avisos" },
    keptBack: { $0 == 1 ? "1 omitido" : "\($0) omitidos" },
    passedBy: { $0 == 1 ? "1 visto de paso sin aviso" : "\($0) vistos de paso sin aviso" },
    more: { "\($0) más" },
    spotsNear: {
      switch $0 {
      case 0: "ningún lugar cerca"
      case 1: "1 lugar cerca"
      default: "\($0) lugares cerca"
      }
    },
    noPosition: "No se conoce ninguna posición actual.",
    reason: { kind in
      switch kind {
      case .tooFast, .halted, .arriving: "en un vehículo"
      case .settling: "tras un hueco en las posiciones"
      case .uncertain, .unconfirmed: "posición incierta"
      case .cooldown, .familiar: "ya visitado"
      case .sibling: "junto a otro avisado"
      case .shared: "avisado en otro dispositivo"
      case .paced: "poco después de otro"
      case .dwelling: "visita demasiado corta"
      case .burst, .stale: "posición recibida tarde"
      case .muted: "silenciado"
      case .quiet: "en horas de silencio"
      case .overBudget, .reserved: "por encima del límite diario"
      case .overRate: "por encima de alertsPerMinute"
      case .tooRecent: "demasiado reciente"
      case .filtered: "sin favorita"
      case .recreated: "repetido hace poco"
      case .disabled: "avisos apagados"
      case .notify, .alsoNear, .invalid, .late, .inaccurate, .jump, .unmoved, .inside, .leaving,
        .exit, .lapsed, .clear:
        nil
      }
    })
}
