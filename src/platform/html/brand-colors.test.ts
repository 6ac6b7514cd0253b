import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BrandColors, type ColorTheme, calculateBrandColors } from './brand-colors.ts'
import { contrastRatio } from './color-math.ts'

const named = {
  yellow: '#ffeb3b',
  black: '#000000',
  white: '#ffffff',
  grey: '#808080',
  orange: '#f26b1d',
  green: '#0e7a57',
}
const grounds = {
  light: { surface: '#ffffff', canvas: '#f6f6f8' },
  dark: { surface: '#121317', canvas: '#0b0c0f' },
}
const minimum = {
  light: { text: 4.6, mark: 3, focus: 3.2, fill: 1.5 },
  dark: { text: 6, mark: 4, focus: 4.5, fill: 2 },
}

/** Lists the pairs of colors whose contrast is too low, each with its contrast. */
function findLowContrasts(colors: BrandColors, theme: ColorTheme): string[] {
  const { surface, canvas } = grounds[theme]
  const { softBackground, pageBackground } = colors
  const { text, mark, focus, fill } = minimum[theme]
  const pairs: [name: string, color: string, grounds: string[], minimum: number][] = [
    ['text', colors.text, [surface, canvas, softBackground, pageBackground], text],
    ['mark', colors.mark, [surface, canvas, softBackground], mark],
    ['focus', colors.focus, [surface, canvas, softBackground], focus],
    ['fill', colors.fill, [surface, canvas], fill],
    ['text on fill', colors.textOnFill, [colors.fill], 4.5],
    ['text on the fill of a button with the pointer', colors.textOnFill, [colors.fillHover], 4.5],
  ]
  return pairs.flatMap(([name, color, behind, least]) =>
    behind
      .filter((ground) => contrastRatio(color, ground) < least)
      .map((ground) => `${theme} ${name}: ${color} on ${ground} has ${contrastRatio(color, ground).toFixed(2)}`),
  )
}

for (const [name, color] of Object.entries(named))
  test(`a workspace with the color ${name} has readable pages in the light and the dark theme`, () => {
    for (const theme of ['light', 'dark'] as const)
      assert.deepEqual(findLowContrasts(calculateBrandColors(color, theme), theme), [])
  })

test('the colors of a grid over all colors are readable in both themes', () => {
  const channels = ['00', '33', '66', '99', 'cc', 'ff']
  const problems = channels.flatMap((red) =>
    channels.flatMap((green) =>
      channels.flatMap((blue) =>
        (['light', 'dark'] as const).flatMap((theme) =>
          findLowContrasts(calculateBrandColors(`#${red}${green}${blue}`, theme), theme),
        ),
      ),
    ),
  )

  assert.deepEqual(problems, [])
})

test('a button keeps the exact color of the workspace if it can', () => {
  const fills = (['light', 'dark'] as const).map((theme) => [
    calculateBrandColors(named.green, theme).fill,
    calculateBrandColors(named.orange, theme).fill,
  ])

  assert.deepEqual(fills, [
    [named.green, named.orange],
    [named.green, named.orange],
  ])
  assert.equal(calculateBrandColors(named.green, 'light').textOnFill, '#ffffff')
  assert.equal(calculateBrandColors(named.orange, 'light').textOnFill, '#15161c')
})

test('a changed lightness keeps the hue', () => {
  assert.equal(calculateBrandColors(named.orange, 'light').text, '#b54a01')
  assert.equal(calculateBrandColors(named.green, 'dark').text, '#52ae88')
})

test('a missing or invalid color is replaced by the default color', () => {
  const expected = calculateBrandColors('#1f4fd8', 'light')

  for (const color of [null, undefined, '', 'red', '#fff', '#12345g', '#1f4fd8; }'])
    assert.deepEqual(calculateBrandColors(color, 'light'), expected)
})
