/** A share as people read it, or nothing where there is nothing to share. */
export const rateOf = (part: number, whole: number): number | null => (whole === 0 ? null : round(part / whole, 4))

export const changeOf = (current: number, previous: number) => ({
  current,
  previous,
  change_rate: rateOf(current - previous, previous),
})

export const round = (value: number, decimals: number): number =>
  Math.round((value + Number.EPSILON) * 10 ** decimals) / 10 ** decimals

export const toSeconds = (ms: number | null): number | null => (ms === null ? null : round(ms / 1_000, 1))
export const toDays = (ms: number | null): number | null => (ms === null ? null : round(ms / 86_400_000, 2))

type Answers = { within_sla_n: number; late_n: number; overdue_n: number }

/** Of those whose time is up or who were answered before: how many were answered in time. */
export const withinSlaRate = ({ within_sla_n, late_n, overdue_n }: Answers): number | null =>
  rateOf(within_sla_n, within_sla_n + late_n + overdue_n)

/** What was earned for what was spent. Minor units of one currency, which may outgrow a number. */
export function returnOf(won: bigint, cost: bigint): number | null {
  return cost === 0n ? null : round(Number(won - cost) / Number(cost), 4)
}

/** A sum shared among so many, to the minor unit, half away from zero. */
export function shareOf(minor: bigint, among: number): bigint | null {
  if (among === 0) return null
  const size = minor < 0n ? -minor : minor
  const rounded = (2n * size + BigInt(among)) / (2n * BigInt(among))
  return minor < 0n ? -rounded : rounded
}

/**
 * How evenly something is spread: Jain's index is 1 when all have the same and goes down to 1/n, Gini's is 0 then and goes up
 * to 1. Of nobody neither is known, nor where there is nothing to spread; somebody alone has a fair share of anything.
 */
export function fairnessOf(shares: readonly number[]): { jain: number | null; gini: number | null } {
  if (shares.length === 1) return { jain: 1, gini: 0 }
  const sorted = shares.toSorted((one, other) => one - other)
  const sum = sorted.reduce((total, share) => total + share, 0)
  if (sum === 0) return { jain: null, gini: null }
  const n = sorted.length
  const squares = sorted.reduce((total, share) => total + share * share, 0)
  // All differences between two, each pair counted both ways, without going through the pairs.
  const differences = 2 * sorted.reduce((total, share, place) => total + share * (2 * place + 1 - n), 0)
  return { jain: round((sum * sum) / (n * squares), 4), gini: round(differences / (2 * n * sum), 4) }
}
