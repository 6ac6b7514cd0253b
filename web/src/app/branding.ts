import type { calculateBrandColors } from '../../../src/platform/html/brand-colors.ts'

const names = ['--accent', '--accent-hover', '--on-accent', '--accent-text', '--accent-soft', '--selected', '--focus']

let calculate: typeof calculateBrandColors | undefined
let wanted: { color: string | null; isDark: boolean }

/** Loads what most workspaces do not need. Without the file the page keeps the standard colors. */
export async function loadBranding(color: string | null): Promise<void> {
  if (!color || calculate) return
  const loaded = await import('../../../src/platform/html/brand-colors.ts').catch(() => undefined)
  calculate = loaded?.calculateBrandColors
}

/** Sets the accent and the color of selected rows to the color of the workspace, changed in lightness until text on it is readable. */
export function applyBranding(color: string | null, isDark: boolean): void {
  wanted = { color, isDark }
  const { style } = document.documentElement
  if (!color) {
    for (const name of names) style.removeProperty(name)
    return
  }
  if (!calculate) {
    void loadBranding(color).then(() => calculate && applyBranding(wanted.color, wanted.isDark))
    return
  }
  const { fill, fillHover, textOnFill, text, softBackground, focus } = calculate(color, isDark ? 'dark' : 'light')
  const values = [fill, fillHover, textOnFill, text, softBackground, softBackground, focus]
  for (const [at, name] of names.entries()) style.setProperty(name, values[at]!)
}
