const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text as it stands in HTML, between tags or in a quoted attribute. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? '')

const ownColor = '#1f4fd8'

/** The colour of the workspace, if it has a proper one, and the ink to write on it. */
export function accentOf(color: string | null | undefined): { color: string; ink: string } {
  const chosen = color && /^#[0-9a-f]{6}$/i.test(color) ? color : ownColor
  return { color: chosen, ink: inkOn(chosen) }
}

/** Black or white, whichever has more contrast to the color by the formula of WCAG 2. */
function inkOn(color: string): string {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
  return luminance > 0.179 ? '#000000' : '#ffffff'
}
