import type { Role } from '#platform/access'
import type { Period } from '#platform/calendar'
import { toMoney } from '#platform/money'
import type { ForecastFigures } from './forecast-source.ts'

export type ForecastUserRow = {
  id: string
  name: string
  email: string
  role: string
  title: string | null
  avatar_url: string | null
  manager_id: string | null
  quarterly_quota_minor: number | null
}

const noFigures: ForecastFigures = { open_minor: 0, weighted_minor: 0, won_minor: 0, open_count: 0 }

/** All figures are null if `figures` is null (no source, or hidden from the viewer). */
export function toForecastUser(
  { quarterly_quota_minor: quota, role, ...user }: ForecastUserRow,
  period: Period,
  currency: string,
  figures: Map<string, ForecastFigures> | null,
) {
  const userFigures = figures && (figures.get(user.id) ?? noFigures)
  const money = (minor: number | null | undefined) => (minor == null ? null : toMoney(minor, currency))
  return {
    ...user,
    role: role as Role,
    period,
    quota: money(quota),
    open_amount: money(userFigures?.open_minor),
    weighted_amount: money(userFigures?.weighted_minor),
    won_amount: money(userFigures?.won_minor),
    projected_amount: money(userFigures && userFigures.won_minor + userFigures.weighted_minor),
    open_count: userFigures?.open_count ?? null,
    attainment_rate: userFigures && quota ? userFigures.won_minor / quota : null,
  }
}
