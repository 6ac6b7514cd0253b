import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { DealKind } from './campaign-queries.ts'
import { memberSearch } from './people/member-search.ts'

export const campaignTabs = ['results', 'people', 'settings'] as const
export type CampaignTab = (typeof campaignTabs)[number]

export const models = ['first_touch', 'last_touch', 'linear'] as const
export type Model = (typeof models)[number]

/** The state of the page of a campaign, beside the filters of its people. It is in the URL. */
export type CampaignSearch = {
  tab?: Exclude<CampaignTab, 'results'>
  /** The deals that are shown: their state, and the model that gives the campaign a share of them. */
  deals?: DealKind
  model?: Model
}

/** Shows the deals behind a number. */
export type ShowDeals = (deals: Pick<CampaignSearch, 'deals' | 'model'>) => void

const dealKinds: readonly DealKind[] = ['open', 'won', 'lost']

const parseOwn = (search: Readonly<Record<string, unknown>>): CampaignSearch => ({
  tab: (['people', 'settings'] as const).find((tab) => tab === search.tab),
  deals: dealKinds.find((kind) => kind === search.deals),
  model: models.find((model) => model === search.model),
})

export const parseCampaignSearch = (search: Record<string, unknown>) => ({
  ...memberSearch.parse(search),
  ...parseOwn(search),
})

export type ChangeSearch = (search: Partial<ReturnType<typeof parseCampaignSearch>>, isReplaced?: boolean) => void

export function useCampaignSearch(): { search: CampaignSearch; change: ChangeSearch } {
  const search = parseOwn(useSearch({ strict: false }))
  const navigate = useNavigate()
  const change: ChangeSearch = useCallback(
    (changes, isReplaced = false) =>
      void navigate({
        to: '.',
        search: ((before: object) => ({ ...before, ...changes })) as never,
        replace: isReplaced,
      }),
    [navigate],
  )
  return { search, change }
}
