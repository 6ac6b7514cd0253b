import type { MarkPlace } from './chart-model.ts'

/** Whether the rows follow each other from left to right or from top to bottom. */
export type Direction = 'across' | 'down'

type ChartSize = { rows: number; series: number }

const steps: Readonly<Record<Direction, Readonly<Record<string, readonly [row: number, series: number]>>>> = {
  across: { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] },
  down: { ArrowDown: [1, 0], ArrowUp: [-1, 0], ArrowRight: [0, 1], ArrowLeft: [0, -1] },
}

/** The mark that a key leads to; undefined for keys that do not move. At an edge the mark stays. */
export function moveMark(key: string, from: MarkPlace, direction: Direction, size: ChartSize): MarkPlace | undefined {
  if (key === 'Home') return { ...from, row: 0 }
  if (key === 'End') return { ...from, row: size.rows - 1 }
  const step = steps[direction][key]
  if (!step) return undefined
  const within = (value: number, count: number) => Math.max(0, Math.min(count - 1, value))
  return { row: within(from.row + step[0], size.rows), series: within(from.series + step[1], size.series) }
}
