extension Diptych {
  /// The maximum size of a slider's file in bytes.
  static let longestSlider = 1_500_000

  /// Draws both pictures with a moving slider between them, as an endless animated GIF.
  ///
  /// The animation begins with half of each picture. Its size is 540 × 675 or 720 × 378 pixels.
  ///
  /// - Parameter shape: The shape of the animation.
  /// - Returns: The file, at most 1.5 MB.
  package func slider(_ shape: Shape) -> [UInt8] {
    slider(SliderLayout(shape, hasCaption: hasCaption), limit: Self.longestSlider)
  }

  func slider(_ layout: SliderLayout, limit: Int) -> [UInt8] {
    let frames = SliderFrames(self, layout)
    var file: [UInt8] = []
    // Fewer colours make the file smaller, which noisy pictures may need.
    for colors in [256, 128, 64, 32, 16] {
      file = frames.gif(colors: colors)
      if file.count <= limit { break }
    }
    return file
  }
}

/// The layout of a slider.
struct SliderLayout: Hashable, Sendable {
  let width: Int
  let height: Int
  /// The box of both pictures.
  let picture: Box
  /// The band of the caption; its height is zero if there is none.
  let caption: Box
  let labelSize: Double
  let captionSizes: ClosedRange<Double>
  /// The distance that the seam moves per frame, in pixels.
  let step: Int

  init(_ shape: Diptych.Shape, hasCaption: Bool) {
    switch shape {
    case .landscape: self.init(width: 720, height: 378, band: hasCaption ? 42 : 0)
    case .portrait: self.init(width: 540, height: 675, band: hasCaption ? 46 : 0)
    }
  }

  init(width: Int, height: Int, band: Int) {
    (self.width, self.height) = (width, height)
    picture = Box(x: 0, y: 0, width: width, height: height - band)
    caption = Box(x: 0, y: height - band, width: width, height: band)
    labelSize = 22
    captionSizes = 15...22
    step = max(1, width / 27)
  }
}

/// The frames of a slider.
///
/// Each frame after the first contains only the strip that the seam passes. A strip has its own
/// palette, so after one pass the colours are as good as those of a still picture, and the frames
/// together are no larger than three pictures.
struct SliderFrames: Sendable {
  private let layout: SliderLayout
  /// The canvases that show only the earlier and only the later picture.
  private let earlier: Canvas
  private let later: Canvas

  /// Half of the seam's width.
  private static let halfSeam = 2
  /// The durations, in hundredths of a second, of frames with the seam in the middle or at an end,
  /// and of the other frames.
  private static let holdHundredths = 120
  private static let stepHundredths = 4

  init(_ diptych: Diptych, _ layout: SliderLayout) {
    self.layout = layout
    let crop = PairCrop(
      diptych.earlier.picture, diptych.later.picture, diptych.alignment,
      width: layout.picture.width, height: layout.picture.height)
    var ground = Canvas(width: layout.width, height: layout.height, .ground)
    if let caption = diptych.caption {
      ground.write(caption, in: layout.caption, sizes: layout.captionSizes)
    }
    var (earlier, later) = (ground, ground)
    earlier.draw(diptych.earlier.picture, in: layout.picture, crop.earlier)
    later.draw(diptych.later.picture, in: layout.picture, crop.later)
    earlier.label(diptych.earlier.label, in: layout.picture, .left, size: layout.labelSize)
    later.label(diptych.later.label, in: layout.picture, .right, size: layout.labelSize)
    (self.earlier, self.later) = (earlier, later)
  }

  /// The column of the seam's centre in each frame: from the middle to the right, until only the
  /// earlier picture is visible; to the left, until only the later one is; and back to the middle.
  var seams: [Int] {
    let middle = layout.width / 2
    let (start, end) = (-Self.halfSeam, layout.width + Self.halfSeam)
    func way(_ from: Int, _ to: Int) -> [Int] {
      let steps = stride(from: from, to: to, by: from < to ? layout.step : -layout.step)
      return steps.dropFirst() + [to]
    }
    return [middle] + way(middle, end) + way(end, start) + way(start, middle)
  }

  /// Returns the picture with the seam at a column.
  func canvas(seam: Int) -> Canvas {
    var canvas = later
    let box = layout.picture
    let left = min(max(seam - Self.halfSeam, 0), box.width)
    let right = min(max(seam + Self.halfSeam, 0), box.width)
    canvas.copy(Box(x: 0, y: 0, width: left, height: box.height), of: earlier)
    canvas.fill(Box(x: left, y: 0, width: right - left, height: box.height), .white)
    return canvas
  }

  /// Returns the columns that change when the seam moves.
  func strip(from last: Int, to seam: Int) -> Box {
    let left = max(min(last, seam) - Self.halfSeam, 0)
    let right = min(max(last, seam) + Self.halfSeam, layout.width)
    return Box(x: left, y: 0, width: right - left, height: layout.picture.height)
  }

  /// Returns the animation, with a maximum number of colours per frame.
  func gif(colors: Int) -> [UInt8] {
    let seams = seams
    var file = GIFFile(width: layout.width, height: layout.height)
    for (number, seam) in seams.enumerated() {
      let isAlone = seam <= -Self.halfSeam || seam >= layout.width + Self.halfSeam
      let isHeld = number == 0 || isAlone
      // The last frame equals the first, which follows it and is held.
      let hundredths =
        number == seams.count - 1 ? 0 : isHeld ? Self.holdHundredths : Self.stepHundredths
      let box =
        number == 0
        ? Box(x: 0, y: 0, width: layout.width, height: layout.height)
        : strip(from: seams[number - 1], to: seam)
      let part = canvas(seam: seam).part(box)
      file.append(part, at: box, hundredths: max(Self.stepHundredths, hundredths), colors: colors)
    }
    return file.finished()
  }
}

extension Canvas {
  /// Returns the colours in a rectangle, three bytes per pixel.
  func part(_ box: Box) -> [UInt8] {
    var part: [UInt8] = []
    part.reserveCapacity(box.width * box.height * 3)
    for row in box.y..<box.y + box.height {
      let start = (row * width + box.x) * 3
      part += rgb[start..<start + box.width * 3]
    }
    return part
  }
}
