type Money = { amount: string; currency: string }

/** The number of the fiscal quarter that begins on a day, such as 4 for October if the year starts in January. */
export const quarterNumberOf = (startOn: string, fiscalYearStartMonth: number): number =>
  Math.floor(((Number(startOn.slice(5, 7)) - fiscalYearStartMonth + 12) % 12) / 3) + 1

export type ForecastFigures = { closed: Money; commit: Money; best_case: Money }

/** The shares of the forecast bar in percent. The bar ends after the larger of quota and forecast, with a margin. */
export function toForecastBar({ closed, commit, best_case }: ForecastFigures, quota: Money | null) {
  const [won, committed, best] = [closed, commit, best_case].map(({ amount }) => Math.max(0, Number(amount)))
  const goal = quota ? Number(quota.amount) : 0
  const end = Math.max(goal, won! + committed! + best!) * 1.25
  const share = (value: number) => (end > 0 ? (value / end) * 100 : 0)
  return {
    closed: share(won!),
    commit: share(committed!),
    bestCase: share(best!),
    goal: goal > 0 ? share(goal) : null,
    attainment: goal > 0 ? (won! + committed!) / goal : null,
  }
}

/** The sum of the quotas of several users, or null if none of them has one. */
export function addQuotas(users: readonly { quota: Money | null }[]): Money | null {
  const quotas = users.flatMap(({ quota }) => (quota ? [quota] : []))
  if (quotas.length === 0) return null
  const { currency } = quotas[0]!
  return { amount: quotas.reduce((sum, { amount }) => sum + Number(amount), 0).toFixed(2), currency }
}
