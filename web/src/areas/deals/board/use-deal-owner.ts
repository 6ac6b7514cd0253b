import { useQuery } from '@tanstack/react-query'
import { userQuery } from '../../../patterns/shared-queries.ts'
import { can, useMe } from '../../../session/me.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { forecastUsersQuery } from '../deal-queries.ts'
import { addQuotas } from './quarters.ts'

type Money = { amount: string; currency: string }

/** The owner whose deals are shown. `id` is undefined for all owners, `quota` while it is loaded. */
export type DealOwner = {
  choice: 'me' | 'all' | 'person'
  id: string | undefined
  name: string | undefined
  quota: Money | null | undefined
  noQuotaText: string
  error: unknown
  retry: () => void
}

const texts = dealTexts.forecast

/** Users who cannot own deals see those of all owners first. */
export function useDealOwner(search: string | undefined): DealOwner {
  const me = useMe()
  const owner = search === me.id ? 'me' : (search ?? (can(me, 'opportunities.write') ? 'me' : 'all'))
  const isPerson = owner !== 'me' && owner !== 'all'
  const user = useQuery({ ...userQuery(owner), enabled: isPerson })
  const participants = useQuery({ ...forecastUsersQuery, enabled: owner === 'all' })
  const none = { error: null, retry: () => {} }
  if (owner === 'me')
    return {
      ...none,
      choice: 'me',
      id: me.id,
      name: me.name,
      quota: me.quarterly_quota,
      noQuotaText: texts.noOwnQuota,
    }
  const { error, refetch } = isPerson ? user : participants
  const loaded = { error, retry: () => void refetch() }
  return isPerson
    ? {
        ...loaded,
        choice: 'person',
        id: owner,
        name: user.data?.name,
        quota: user.data?.quarterly_quota,
        noQuotaText: texts.noQuota,
      }
    : {
        ...loaded,
        choice: 'all',
        id: undefined,
        name: undefined,
        quota: participants.data && addQuotas(participants.data),
        noQuotaText: texts.noQuotas,
      }
}
