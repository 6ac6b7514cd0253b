import { relativeLuminance } from './color-math.ts'

export const defaultColor = '#1f4fd8'

export const isColor = (color: string | null | undefined): color is string => /^#[0-9a-f]{6}$/i.test(color ?? '')

export function accentColors(color: string | null | undefined): { color: string; ink: string } {
  const chosen = isColor(color) ? color : defaultColor
  return { color: chosen, ink: inkOn(chosen) }
}

/** Black or white, whichever has the higher WCAG 2 contrast. */
const inkOn = (color: string): string => (relativeLuminance(color) > 0.179 ? '#000000' : '#ffffff')
