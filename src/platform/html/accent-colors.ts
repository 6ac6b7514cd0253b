const defaultColor = '#1f4fd8'

export function accentColors(color: string | null | undefined): { color: string; ink: string } {
  const chosen = color && /^#[0-9a-f]{6}$/i.test(color) ? color : defaultColor
  return { color: chosen, ink: inkOn(chosen) }
}

/** Black or white, whichever has the higher WCAG 2 contrast. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000000' : '#ffffff'
}
