import type { Role } from '#platform/access'
import type { ForecastFigures } from '#platform/module'
import { toMoney } from '#platform/money'
import type { Period } from './fiscal-quarter.rules.ts'

export type Forecaster = {
  id: string
  name: string
  email: string
  role: string
  title: string | null
  avatar_url: string | null
  manager_id: string | null
  quarterly_quota_minor: number | null
}

const nothing: ForecastFigures = { open_minor: 0, weighted_minor: 0, won_minor: 0, open_count: 0 }

/** Without figures, because nobody has them or the viewer may not see them, every amount is null. */
export function toForecastUser(
  { quarterly_quota_minor: quota, role, ...person }: Forecaster,
  period: Period,
  currency: string,
  figures: Map<string, ForecastFigures> | null,
) {
  const own = figures && (figures.get(person.id) ?? nothing)
  const money = (minor: number | null | undefined) => (minor == null ? null : toMoney(minor, currency))
  return {
    ...person,
    role: role as Role,
    period,
    quota: money(quota),
    open_amount: money(own?.open_minor),
    weighted_amount: money(own?.weighted_minor),
    won_amount: money(own?.won_minor),
    projected_amount: money(own && own.won_minor + own.weighted_minor),
    open_count: own?.open_count ?? null,
    attainment_rate: own && quota ? own.won_minor / quota : null,
  }
}
