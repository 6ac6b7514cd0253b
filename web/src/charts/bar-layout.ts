import { type ChartData, formatValue, highestOf, linesOfRow } from './chart-model.ts'
import { createAxis, createBands } from './scales.ts'

export const plot = { top: 18, bottom: 38, height: 196 }

const letterWidth = 7
const axisGap = 12
const barGap = 4
const bandGap = 0.28
const lowestBar = 2
const [narrowestBar, widestBar] = [20, 32]

export type Bar = { row: number; series: number; x: number; width: number; y: number; height: number; text: string }

export type BarLayout = {
  /** The width of the axis, which stays in view while the bars are scrolled. */
  axisWidth: number
  /** The width of the bars. */
  width: number
  baseline: number
  ticks: readonly { value: number; y: number; text: string }[]
  bars: readonly Bar[]
  /** The middle of each row. */
  centers: readonly number[]
}

/** Places vertical bars side by side. If the values need more room than there is, the chart is wider than its card, which scrolls. */
export function layOutBars({ series, rows, format }: ChartData, available: number): BarLayout {
  const baseline = plot.height - plot.bottom
  const axis = createAxis(highestOf({ rows }), baseline - plot.top)
  const ticks = axis.ticks.map((value) => ({ value, y: baseline - axis.lengthOf(value), text: format(value) }))
  const axisWidth = widthOf(ticks.map(({ text }) => text)) + axisGap
  const texts = rows.map(({ values }) => series.map((_, at) => formatValue(values[at], format)))
  const textWidth = widthOf(texts.flat())
  const lowestStep = Math.max(narrowestBar, textWidth) + barGap
  const labelWidth = widthOf(rows.flatMap((row) => linesOfRow(row))) + barGap
  const lowestBand = Math.max((series.length * lowestStep) / (1 - bandGap), labelWidth)
  const width = Math.max(available - axisWidth, Math.ceil(rows.length * lowestBand))
  const bands = createBands(
    rows.map(({ key }) => key),
    [0, width],
    bandGap,
  )
  const barWidth = Math.min(Math.max(widestBar, textWidth), bands.width / series.length - barGap)
  const step = barWidth + barGap
  const centers = rows.map(({ key }) => bands.startOf(key) + bands.width / 2)
  const bars = rows.flatMap(({ values }, row) =>
    series.map((_, at) => {
      const value = values[at] ?? 0
      const height = value > 0 ? Math.max(lowestBar, axis.lengthOf(value)) : 0
      return {
        row,
        series: at,
        x: centers[row]! - (series.length * step - barGap) / 2 + at * step,
        width: barWidth,
        y: baseline - height,
        height,
        text: texts[row]![at]!,
      }
    }),
  )
  return { axisWidth, width, baseline, ticks, bars, centers }
}

const widthOf = (texts: readonly string[]): number => letterWidth * Math.max(0, ...texts.map(({ length }) => length))
