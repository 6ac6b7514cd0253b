import { useQuery } from '@tanstack/react-query'
import { forecastQuery } from '../../patterns/forecast-query.ts'
import { kpisQuery } from '../../patterns/shared-queries.ts'
import { useMe } from '../../session/me.ts'
import type { Home } from './home-queries.ts'
import { type Money, sumOpen } from './home-summary.ts'

export type HomeFigures = {
  leads: Pick<
    NonNullable<Home['leads']>,
    'open' | 'awaiting_first_response' | 'median_first_response_seconds' | 'previous_median_first_response_seconds'
  > | null
  deals: { openAmount: Money; openCount: number; closed: Money; quota: Money | null } | null
  isTeam: boolean
}

const toOwnFigures = ({ leads, deals }: Home): HomeFigures => ({
  leads,
  deals: deals && {
    openAmount: deals.open_amount,
    openCount: deals.open_count,
    closed: deals.forecast.closed,
    quota: deals.forecast.quota,
  },
  isTeam: false,
})

/** The figures of the user, and those of all users for a manager or viewer without leads and deals. */
export function useHomeFigures(home: Home): HomeFigures {
  const { role } = useMe()
  const isTeam =
    role !== 'member' && !home.leads?.open && !home.deals?.open_count && !Number(home.deals?.forecast.closed.amount)
  const kpis = useQuery({ ...kpisQuery(undefined), enabled: isTeam && home.leads !== null }).data
  const forecast = useQuery({ ...forecastQuery(undefined), enabled: isTeam && home.deals !== null }).data
  if (!isTeam || (home.leads && !kpis) || (home.deals && !forecast)) return toOwnFigures(home)
  return {
    leads: kpis ?? null,
    deals: forecast
      ? {
          openAmount: sumOpen(forecast.totals),
          openCount: forecast.totals.open_count,
          closed: forecast.totals.closed,
          quota: null,
        }
      : null,
    isTeam,
  }
}
