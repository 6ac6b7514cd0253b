import { calculateBrandColors } from '../../../src/platform/html/brand-colors.ts'

const names = ['--accent', '--accent-hover', '--on-accent', '--accent-text', '--accent-soft', '--selected', '--focus']

/** Sets the accent and the color of selected rows to the color of the workspace, changed in lightness until text on it is readable. */
export function applyBranding(color: string | null, isDark: boolean): void {
  const { style } = document.documentElement
  if (!color) {
    for (const name of names) style.removeProperty(name)
    return
  }
  const { fill, fillHover, textOnFill, text, softBackground, focus } = calculateBrandColors(
    color,
    isDark ? 'dark' : 'light',
  )
  const values = [fill, fillHover, textOnFill, text, softBackground, softBackground, focus]
  for (const [at, name] of names.entries()) style.setProperty(name, values[at]!)
}
