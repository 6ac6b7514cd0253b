const z = 1.96
const lowSample = 20

/** Lower bound of the 95 % Wilson interval, so that one won deal does not rank above thirty of fifty. */
export function wilsonLowerBound(successes: number, trials: number): number | null {
  if (trials === 0) return null
  const rate = successes / trials
  const spread = z * Math.sqrt((rate * (1 - rate)) / trials + z ** 2 / (4 * trials ** 2))
  return toRate((rate + z ** 2 / (2 * trials) - spread) / (1 + z ** 2 / trials))
}

export const toRate = (value: number): number => Math.round(value * 10_000) / 10_000

export const rateOf = (part: number, whole: number): number | null => (whole === 0 ? null : toRate(part / whole))

export const confidenceOf = (sample: number): 'low' | 'ok' => (sample < lowSample ? 'low' : 'ok')
