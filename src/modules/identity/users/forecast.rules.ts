import type { Role, Scope, SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { toMoney } from '#platform/money'
import type { Period } from './fiscal-quarter.rules.ts'

/** What somebody's opportunities of a period are worth, in minor units of the workspace's currency. */
export type ForecastFigures = { open_minor: number; weighted_minor: number; won_minor: number; open_count: number }

/** Where figures come from: one grouped query for all people of a page. Whoever is not in the answer has nothing open or won. */
export type ForecastSource = {
  scope: Scope
  load(tx: TenantTx, viewer: SignedIn, userIds: string[], period: Period): Promise<Map<string, ForecastFigures>>
}

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
