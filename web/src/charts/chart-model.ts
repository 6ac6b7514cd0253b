import { chartTexts } from '../texts/en/chart-texts.ts'

/** The color of a series. Each has a contrast of at least 3:1 with the surface. */
export type Tone = 'first' | 'second' | 'neutral'

export type ChartSeries = { key: string; label: string; tone: Tone }

export type ChartRow = {
  key: string
  label: string
  /** In the order of the series; null if the value is unknown. */
  values: readonly (number | null)[]
  /** A figure that follows from the values, such as a rate. */
  note?: string
  /** The period is not over, so that its values still grow. */
  isUnfinished?: boolean
  isEmphasized?: boolean
  /** The records behind the values cannot be shown. */
  isClosed?: boolean
}

/** The numbers of a chart, which are also those of its table. */
export type ChartData = {
  /** The heading of the rows in the table, such as weeks. */
  rowTitle: string
  /** The heading of the notes in the table; without it the table has none. */
  noteTitle?: string
  series: readonly ChartSeries[]
  rows: readonly ChartRow[]
  format: (value: number) => string
}

export type MarkPlace = { row: number; series: number }

/** Opens the records that a value counts. */
export type OpenMark = (row: ChartRow, series: ChartSeries) => void

/** Stands for a value that is not known, which is not 0. */
export const unknown = '–'

export const highestOf = ({ rows }: Pick<ChartData, 'rows'>): number =>
  Math.max(0, ...rows.flatMap(({ values }) => values.map((value) => value ?? 0)))

export const sumOf = ({ values }: Pick<ChartRow, 'values'>): number =>
  values.reduce<number>((sum, value) => sum + (value ?? 0), 0)

export const formatValue = (value: number | null | undefined, format: ChartData['format']): string =>
  value === null || value === undefined ? unknown : format(value)

export const labelOfRow = ({ label, isUnfinished }: ChartRow): string =>
  isUnfinished ? chartTexts.unfinished(label) : label

/** The label below the bars of a row, in lines. */
export const linesOfRow = ({ label, isUnfinished }: ChartRow): string[] =>
  isUnfinished ? [label, chartTexts.notOver] : [label]

/** A value with its row and series, for screen readers. */
export function describeMark({ series, rows, format }: ChartData, place: MarkPlace): string {
  const row = rows[place.row]!
  const { label } = series[place.series]!
  const name = series.length > 1 ? `${labelOfRow(row)}, ${label}` : labelOfRow(row)
  const value = formatValue(row.values[place.series], format)
  return `${name}: ${[value, row.note].filter(Boolean).join(', ')}`
}

export type ChartTable = { columns: readonly string[]; rows: readonly { key: string; cells: readonly string[] }[] }

/** The table of a chart: the same values in the same order. The first cell of each row is its label. */
export function toTable({ rowTitle, noteTitle, series, rows, format }: ChartData): ChartTable {
  return {
    columns: [rowTitle, ...series.map(({ label }) => label), ...(noteTitle ? [noteTitle] : [])],
    rows: rows.map((row) => ({
      key: row.key,
      cells: [
        labelOfRow(row),
        ...series.map((_, at) => formatValue(row.values[at], format)),
        ...(noteTitle ? [row.note ?? unknown] : []),
      ],
    })),
  }
}
