import { calculateBrandColors } from '../../../src/platform/html/brand-colors.ts'
import { isDark } from '../session/preferences.ts'

/** Sets the accent to the color of the workspace, changed in lightness until text on it is readable. */
export function applyBranding(color: string | null): void {
  const { style } = document.documentElement
  const names = ['--accent', '--accent-hover', '--on-accent', '--accent-text', '--accent-soft', '--focus']
  if (!color) {
    for (const name of names) style.removeProperty(name)
    return
  }
  const { fill, fillHover, textOnFill, text, softBackground, focus } = calculateBrandColors(
    color,
    isDark() ? 'dark' : 'light',
  )
  const values = [fill, fillHover, textOnFill, text, softBackground, focus]
  for (const [at, name] of names.entries()) style.setProperty(name, values[at]!)
}
