import fc from 'fast-check'

/** Draws random values. The same seed and run give the same values. */
export type Draw = fc.GeneratorValue

export function createDraw(seed: number, run: number): Draw {
  const [draw] = fc.sample(fc.noBias(fc.gen()), { numRuns: 1, seed: Math.imul(seed, 0x9e3779b1) ^ run })
  return draw!
}

export const drawBelow = (draw: Draw, count: number): number => draw(fc.integer, { min: 0, max: count - 1 })

export const pick = <T>(draw: Draw, items: readonly T[]): T => items[drawBelow(draw, items.length)]!

export const hasChance = (draw: Draw, percent: number): boolean => drawBelow(draw, 100) < percent

/** Returns one of the keys; its value is its weight. */
export function pickWeighted<T extends string>(draw: Draw, weights: Record<T, number>): T {
  const entries = Object.entries(weights) as [T, number][]
  return pick(
    draw,
    entries.flatMap(([key, weight]) => Array.from({ length: weight }, () => key)),
  )
}
