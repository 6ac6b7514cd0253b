/**
 * How long things take is counted in steps that grow with the time, eight from one second to two, eight more up to four, and so
 * on for four years. What is counted per day stays small that way, and where the middle lies is known to an eighth. Counts are
 * kept by the number of the step: whoever changes the steps has every day counted anew.
 */
const doublings = 27
const perDoubling = 8

/** Where each step begins, in milliseconds. What is shorter than the first is step 0. */
export const thresholds: readonly number[] = Array.from({ length: doublings * perDoubling }, (_, step) => {
  const [doubling, part] = [Math.floor(step / perDoubling), step % perDoubling]
  return 125 * 2 ** doubling * (perDoubling + part)
})

/** From when on something belongs to a step, and until before when. The last one has no end, so it is as long as it begins. */
export function limitsOf(step: number): { from: number; until: number } {
  const from = step === 0 ? 0 : thresholds[step - 1]!
  return { from, until: thresholds[step] ?? from * 2 }
}

export type Step = { step: number; n: number }

/** About the time that this share of all took no longer than, as if the times of a step lay evenly in it. */
export function timeAt(share: number, steps: readonly Step[]): number | null {
  const sorted = steps.toSorted((one, other) => one.step - other.step)
  const total = sorted.reduce((sum, { n }) => sum + n, 0)
  const wanted = share * total
  let before = 0
  for (const { step, n } of sorted) {
    if (n > 0 && before + n >= wanted) {
      const { from, until } = limitsOf(step)
      return from + ((until - from) * (wanted - before)) / n
    }
    before += n
  }
  return null
}
