export const rateOf = (part: number, whole: number): number | null => (whole === 0 ? null : round(part / whole, 4))

export const compareCounts = (current: number, previous: number) => ({
  current,
  previous,
  change_rate: rateOf(current - previous, previous),
})

export const round = (value: number, decimals: number): number =>
  Math.round((value + Number.EPSILON) * 10 ** decimals) / 10 ** decimals

export const toSeconds = (ms: number | null): number | null => (ms === null ? null : round(ms / 1_000, 1))
export const toDays = (ms: number | null): number | null => (ms === null ? null : round(ms / 86_400_000, 2))

type SlaCounts = { within_sla_n: number; late_n: number; overdue_n: number }

/** Leaves out unanswered leads before their SLA deadline. */
export const withinSlaRate = ({ within_sla_n, late_n, overdue_n }: SlaCounts): number | null =>
  rateOf(within_sla_n, within_sla_n + late_n + overdue_n)

export function calculateRoi(won: bigint, cost: bigint): number | null {
  return cost === 0n ? null : round(Number(won - cost) / Number(cost), 4)
}

export function divideMinorUnits(minor: bigint, divisor: number): bigint | null {
  if (divisor === 0) return null
  const size = minor < 0n ? -minor : minor
  const rounded = (2n * size + BigInt(divisor)) / (2n * BigInt(divisor))
  return minor < 0n ? -rounded : rounded
}

/** Calculates Jain's index (1 is fair) and the Gini coefficient (0 is fair); null for an empty or all-zero list. */
export function calculateFairness(shares: readonly number[]): { jain: number | null; gini: number | null } {
  if (shares.length === 1) return { jain: 1, gini: 0 }
  const sorted = shares.toSorted((one, other) => one - other)
  const sum = sorted.reduce((total, share) => total + share, 0)
  if (sum === 0) return { jain: null, gini: null }
  const n = sorted.length
  const squares = sorted.reduce((total, share) => total + share * share, 0)
  const differences = 2 * sorted.reduce((total, share, index) => total + share * (2 * index + 1 - n), 0)
  return { jain: round((sum * sum) / (n * squares), 4), gini: round(differences / (2 * n * sum), 4) }
}
