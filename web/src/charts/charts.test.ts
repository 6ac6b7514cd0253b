// The calculations of charts, and the contrast of their colors.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { layOutBars, plot } from './bar-layout.ts'
import { type ChartData, describeMark, toTable, unknown } from './chart-model.ts'
import { moveMark } from './mark-keys.ts'
import { createAxis } from './scales.ts'

const added = { key: 'added', label: 'Added', tone: 'neutral' as const }
const responded = { key: 'responded', label: 'Responded', tone: 'first' as const }
const weeks: ChartData = {
  rowTitle: 'Week',
  series: [added, responded],
  rows: [
    { key: '1', label: '5 Oct', values: [58, 7] },
    { key: '2', label: '12 Oct', values: [84, null] },
    { key: '3', label: '16 Nov', values: [2, 0], isUnfinished: true },
  ],
  format: String,
}

test('an axis begins at 0, has three or four whole ticks and ends at or above the highest value', () => {
  const highest = [0, 1, 2, 3, 7, 9, 10, 84, 99, 100, 101, 4_999, 128_000, 9_999_999]

  for (const value of highest) {
    const { ticks, lengthOf } = createAxis(value, 140)
    assert.ok(ticks.length === 3 || ticks.length === 4, `${value}: ${ticks}`)
    assert.equal(ticks[0], 0)
    assert.ok(ticks.every(Number.isInteger), `${value}: ${ticks}`)
    assert.ok(ticks.at(-1)! >= value, `${value}: ${ticks}`)
    assert.equal(lengthOf(ticks.at(-1)!), 140)
  }
})

test('bars stand on one line, are as high as their values, and do not overlap', () => {
  const { bars, baseline, width, axisWidth, ticks } = layOutBars(weeks, 640)
  const unit = (baseline - ticks.at(-1)!.y) / ticks.at(-1)!.value

  assert.equal(width + axisWidth, 640)
  const values = weeks.rows.flatMap((row) => row.values.map((value) => value ?? 0))
  for (const [at, { height }] of bars.entries()) {
    const expected = values[at]! > 0 ? Math.max(2, values[at]! * unit) : 0
    assert.ok(Math.abs(height - expected) < 0.001, `${values[at]} is ${height} px high instead of ${expected}`)
  }
  for (const [at, { x, width: barWidth, y, height }] of bars.entries()) {
    assert.ok(x >= (at ? bars[at - 1]!.x + bars[at - 1]!.width : 0) && x + barWidth <= width)
    assert.equal(y + height, baseline)
    assert.ok(y >= plot.top)
  }
})

test('a chart is wider than its card if values would cover each other', () => {
  const rows = Array.from({ length: 26 }, (_, at) => ({ key: `${at}`, label: '16 Nov', values: [123_456, 99_999] }))
  const { bars, width } = layOutBars({ ...weeks, rows }, 320)
  const widest = 7 * '123456'.length

  assert.ok(width > 320)
  for (const [at, { x, width: barWidth }] of bars.slice(1).entries())
    assert.ok(x + barWidth / 2 - (bars[at]!.x + bars[at]!.width / 2) >= widest)
})

test('the table of a chart has the values of its marks, and an unknown value is not 0', () => {
  const { columns, rows } = toTable(weeks)
  const texts = layOutBars(weeks, 640).bars.map(({ text }) => text)

  assert.deepEqual(columns, ['Week', 'Added', 'Responded'])
  assert.deepEqual(rows[2]!.cells, ['16 Nov, not over', '2', '0'])
  assert.deepEqual(
    rows.flatMap(({ cells }) => cells.slice(1)),
    texts,
  )
  assert.equal(texts[3], unknown)
})

test('a mark is described by its row, series, value and note', () => {
  const rates = { ...weeks, series: [responded], rows: [{ key: 'won', label: 'Won', values: [4], note: '17 %' }] }

  assert.equal(describeMark(weeks, { row: 2, series: 0 }), '16 Nov, not over, Added: 2')
  assert.equal(describeMark(weeks, { row: 1, series: 1 }), '12 Oct, Responded: –')
  assert.equal(describeMark(rates, { row: 0, series: 0 }), 'Won: 4, 17 %')
})

test('arrow keys move between rows and series and stop at the edges', () => {
  const size = { rows: 3, series: 2 }
  const at = (row: number, series: number) => ({ row, series })
  const across = (key: string, row: number, series: number) => moveMark(key, at(row, series), 'across', size)
  const down = (key: string, row: number, series: number) => moveMark(key, at(row, series), 'down', size)

  assert.deepEqual(across('ArrowRight', 0, 1), at(1, 1))
  assert.deepEqual(across('ArrowDown', 1, 0), at(1, 1))
  assert.deepEqual(across('ArrowRight', 2, 0), at(2, 0))
  assert.deepEqual(down('ArrowDown', 0, 1), at(1, 1))
  assert.deepEqual(down('ArrowLeft', 1, 0), at(1, 0))
  assert.deepEqual(across('End', 0, 1), at(2, 1))
  assert.deepEqual(down('Home', 2, 1), at(0, 1))
  assert.equal(across('Tab', 0, 0), undefined)
})

const tokens = readFileSync(join(import.meta.dirname, '../ui/tokens.css'), 'utf8')

/** The color of a token in the light and in the dark theme. */
function colorsOf(name: string): readonly string[] {
  const [, value = ''] = new RegExp(`--${name}: ([^;]+);`).exec(tokens) ?? []
  const [, other] = /^var\(--([\w-]+)\)$/.exec(value) ?? []
  return other ? colorsOf(other) : value.match(/#[\da-f]{6}/g)!
}

function luminanceOf(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrastOf(one: string, other: string): number {
  const [darker, lighter] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

test('marks have a contrast of at least 3:1 with the card and with an emphasized row, in both themes', () => {
  for (const mark of ['chart-1', 'chart-2', 'chart-neutral'])
    for (const ground of ['surface', 'selected'])
      for (const theme of [0, 1]) {
        const contrast = contrastOf(colorsOf(mark)[theme]!, colorsOf(ground)[theme]!)
        assert.ok(contrast >= 3, `${mark} on ${ground}, theme ${theme}: ${contrast.toFixed(2)}`)
      }
})
