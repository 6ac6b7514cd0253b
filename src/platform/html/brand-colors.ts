import { contrastRatio, lightnessOf, mixColors, withLightness } from './color-math.ts'

export type ColorTheme = 'light' | 'dark'

const defaultColor = '#1f4fd8'

const isColor = (color: string | null | undefined): color is string => /^#[0-9a-f]{6}$/i.test(color ?? '')

export type BrandColors = {
  fill: string
  fillHover: string
  textOnFill: string
  text: string
  /** Progress and the border of selected answers. */
  mark: string
  softBackground: string
  pageBackground: string
  line: string
  focus: string
}

type ThemeRules = {
  surface: string
  canvas: string
  raised: string
  step: number
  contrast: { fill: number; text: number; mark: number; focus: number }
  share: { softBackground: number; pageBackground: number; line: number }
}

const darkInk = '#15161c'
const white = '#ffffff'
const black = '#000000'
const textContrast = 4.5

const rulesOf: Record<ColorTheme, ThemeRules> = {
  light: {
    surface: white,
    canvas: '#f6f6f8',
    raised: white,
    step: -0.01,
    contrast: { fill: 1.5, text: 4.6, mark: 3, focus: 3.2 },
    share: { softBackground: 0.1, pageBackground: 0.055, line: 0.34 },
  },
  dark: {
    surface: '#121317',
    canvas: '#0b0c0f',
    raised: '#1a1b21',
    step: 0.01,
    contrast: { fill: 2, text: 6, mark: 4, focus: 4.5 },
    share: { softBackground: 0.16, pageBackground: 0.09, line: 0.42 },
  },
}

/** Calculates readable colors from any color of a workspace. Only the lightness changes, and only if it must. */
export function calculateBrandColors(chosen: string | null | undefined, theme: ColorTheme): BrandColors {
  const color = isColor(chosen) ? chosen.toLowerCase() : defaultColor
  const { surface, canvas, raised, step, contrast, share } = rulesOf[theme]
  const softBackground = mixColors(color, surface, share.softBackground)
  const pageBackground = mixColors(color, canvas, share.pageBackground)
  const { fill, textOnFill } = calculateFill(reachContrast(color, [surface, canvas], contrast.fill, step))
  return {
    fill,
    fillHover: mixColors(textOnFill === white ? black : white, fill, 0.1),
    textOnFill,
    text: reachContrast(color, [surface, canvas, raised, softBackground, pageBackground], contrast.text, step),
    mark: reachContrast(color, [surface, canvas, softBackground], contrast.mark, step),
    softBackground,
    pageBackground,
    line: mixColors(color, surface, share.line),
    focus: reachContrast(color, [surface, canvas, softBackground], contrast.focus, step),
  }
}

/** Keeps the color if white or dark text is readable on it, otherwise darkens it for white text. */
function calculateFill(color: string): { fill: string; textOnFill: string } {
  const readable = [white, darkInk].find((ink) => contrastRatio(ink, color) >= textContrast)
  if (readable) return { fill: color, textOnFill: readable }
  return { fill: reachContrast(color, [white], textContrast, -0.01), textOnFill: white }
}

function reachContrast(color: string, grounds: readonly string[], minimum: number, step: number): string {
  const isSufficient = (one: string) => grounds.every((ground) => contrastRatio(one, ground) >= minimum)
  let lightness = Math.min(0.97, Math.max(0.03, lightnessOf(color)))
  let result = color
  while (!isSufficient(result) && lightness > 0.02 && lightness < 0.98) {
    lightness += step
    result = withLightness(color, lightness)
  }
  return result
}
