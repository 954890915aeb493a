/// The subject of a sample photo: a simple drawing of a well-known place.
enum Scene {
  case eiffelTowerFromTrocadero, eiffelTowerFromLawn, cathedral, basilica, cafe
  case suspensionBridge, skyline, subway
  case sugarloaf, beach, equatorMonument
  case meridianSign, lagoon
  case observatory, waterfall, aurora, deadSea, tableMountain
  case operaHouse, archBridge, surf
  case volcano, torii
  case canal, stillLife, painting, oldPortrait

  /// Draws the scene in a light. Another `variant` shifts things slightly, as seen from a different
  /// position.
  func draw(on canvas: inout Canvas, light: Light, variant: Int) {
    let shift = Double(variant % 5 - 2) * 6
    switch self {
    case .eiffelTowerFromTrocadero: canvas.drawEiffelTowerFromTrocadero(light, shift: shift)
    case .eiffelTowerFromLawn: canvas.drawEiffelTowerFromLawn(light, shift: shift)
    case .cathedral: canvas.drawCathedral(light)
    case .basilica: canvas.drawBasilica(light)
    case .cafe: canvas.drawCafe(light)
    case .suspensionBridge: canvas.drawSuspensionBridge(light)
    case .skyline: canvas.drawSkyline(light)
    case .subway: canvas.drawSubway()
    case .sugarloaf: canvas.drawSugarloaf(light)
    case .beach: canvas.drawBeach(light)
    case .equatorMonument: canvas.drawEquatorMonument(light)
    case .meridianSign: canvas.drawMeridianSign(light)
    case .lagoon: canvas.drawLagoon(light)
    case .observatory: canvas.drawObservatory(light)
    case .waterfall: canvas.drawWaterfall(light)
    case .aurora: canvas.drawAurora(light)
    case .deadSea: canvas.drawDeadSea(light)
    case .tableMountain: canvas.drawTableMountain(light)
    case .operaHouse: canvas.drawOperaHouse(light)
    case .archBridge: canvas.drawArchBridge(light)
    case .surf: canvas.drawSurf(light)
    case .volcano: canvas.drawVolcano(light)
    case .torii: canvas.drawTorii(light)
    case .canal: canvas.drawCanal(light)
    case .stillLife: canvas.drawStillLife()
    case .painting: canvas.drawPainting()
    case .oldPortrait: canvas.drawOldPortrait()
    }
  }
}
