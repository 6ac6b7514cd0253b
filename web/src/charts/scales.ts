import { scaleBand, scaleLinear } from 'd3-scale'

export type Axis = {
  ticks: readonly number[]
  /** The length of a value on the axis. */
  lengthOf: (value: number) => number
}

/** The highest value of an axis of whole numbers that still has three ticks. */
const lowestEnd = 2

/** The numbers of ticks that d3 is asked for. It returns more or fewer, because it chooses steps of 1, 2 or 5. */
const attempts = [3, 2, 4, 1]

/** An axis that begins at 0 and has three or four ticks, whole numbers, the last of which is not below the highest value. */
export function createAxis(highest: number, length: number): Axis {
  const scale = scaleLinear()
    .domain([0, Math.max(lowestEnd, highest)])
    .range([0, length])
  for (const count of attempts) {
    const rounded = scale.copy().nice(count)
    const ticks = rounded.ticks(count)
    const isShort = ticks.length === 3 || ticks.length === 4
    if (isShort && ticks.every(Number.isInteger)) return { ticks, lengthOf: rounded }
  }
  return { ticks: [0, scale.domain()[1]! / 2, scale.domain()[1]!], lengthOf: scale }
}

export type Bands = {
  startOf: (key: string) => number
  width: number
}

/** Equal parts of a length, one for each key. `gap` is the share of a part that stays empty beside it. */
export function createBands(keys: readonly string[], range: [start: number, end: number], gap: number): Bands {
  const scale = scaleBand()
    .domain(keys)
    .range(range)
    .paddingInner(gap)
    .paddingOuter(gap / 2)
  return { startOf: (key) => scale(key) ?? range[0], width: scale.bandwidth() }
}
