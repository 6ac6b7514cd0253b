import { queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import type { Page, PageRequest } from '../../api/pages.ts'
import { isProblem } from '../../api/problem.ts'
import { queryClient } from '../../api/queries.ts'
import type { CampaignQuery } from './campaign-list.ts'
import type { CampaignStatus } from './campaign-status.ts'

export type Campaign = Schemas['Campaign']
export type ListedCampaign = Schemas['ListedCampaign']
export type CampaignChanges = Schemas['UpdateCampaignRequest']
export type NewCampaign = Schemas['CreateCampaignRequest']
export type MemberStatus = Schemas['CampaignMemberStatus']
export type Kpis = Schemas['CampaignKpis']
export type TouchedDeal = Schemas['InfluencedOpportunity']
export type DealKind = TouchedDeal['kind']

const pathOf = (id: string) => ({ path: { campaign_id: id } })

export const campaignQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.campaigns.detail(id),
    queryFn: ({ signal }) => loadCampaign(id, signal),
  })

export const loadCampaign = (id: string, signal?: AbortSignal): Promise<Campaign> =>
  read(api.GET('/api/campaigns/{campaign_id}', { params: pathOf(id), signal }))

export const resultsQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.campaigns.results(id),
    queryFn: ({ signal }) => read(api.GET('/api/campaigns/{campaign_id}/kpis', { params: pathOf(id), signal })),
  })

const dealsPerPage = 200

/** The deals that the campaign touched, largest first. */
export const useTouchedDeals = (id: string, kind: DealKind | undefined) =>
  useInfiniteQuery({
    queryKey: areaKeys.campaigns.deals(id, kind),
    queryFn: ({ pageParam, signal }) =>
      read(
        api.GET('/api/campaigns/{campaign_id}/opps', {
          params: { ...pathOf(id), query: { kind: kind && [kind], limit: dealsPerPage, cursor: pageParam } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

export const updateCampaign = (
  { id, version }: Pick<Campaign, 'id' | 'version'>,
  body: CampaignChanges,
): Promise<Campaign> =>
  read(api.PATCH('/api/campaigns/{campaign_id}', { params: pathOf(id), headers: ifMatch(version), body }))

/** Changes the status again if another field was changed in between, and not if it is another status by now. */
export async function changeStatus(campaign: Campaign, status: CampaignStatus): Promise<Campaign> {
  try {
    return await updateCampaign(campaign, { status })
  } catch (error) {
    if (!isProblem(error, 'version_mismatch')) throw error
    const current = await loadCampaign(campaign.id)
    storeCampaign(current)
    if (current.status !== campaign.status) throw error
    return await updateCampaign(current, { status })
  }
}

export const createCampaign = (body: NewCampaign, key: string): Promise<Campaign> =>
  read(api.POST('/api/campaigns/', { headers: withKey(key), body }))

export const cloneCampaign = (id: string, name: string, key: string): Promise<Campaign> =>
  read(api.POST('/api/campaigns/{campaign_id}/clone', { params: pathOf(id), headers: withKey(key), body: { name } }))

export const deleteCampaign = ({ id, version }: Pick<Campaign, 'id' | 'version'>) =>
  read(api.DELETE('/api/campaigns/{campaign_id}', { params: pathOf(id), headers: ifMatch(version) }))

/** Stores a campaign that the API returned, in its page and in the lists. */
export function storeCampaign(campaign: Campaign): void {
  queryClient.setQueryData(areaKeys.campaigns.detail(campaign.id), campaign)
  queryClient.setQueriesData<Page<ListedCampaign>>({ queryKey: areaKeys.campaigns.lists }, (page) =>
    page?.items
      ? { ...page, items: page.items.map((row) => (row.id === campaign.id ? { ...row, ...campaign } : row)) }
      : page,
  )
}

export const refreshCampaigns = (): Promise<void> => queryClient.invalidateQueries({ queryKey: areaKeys.campaigns.all })

/** Leaves out a campaign that was deleted, whose page must not request it again. */
export async function forgetCampaign(id: string): Promise<void> {
  for (const key of [areaKeys.campaigns.detail(id), areaKeys.campaigns.results(id)])
    queryClient.removeQueries({ queryKey: key })
  await queryClient.invalidateQueries({ queryKey: areaKeys.campaigns.lists })
}

export const loadCampaignPage = (query: CampaignQuery) => (request: PageRequest, signal: AbortSignal) =>
  read(
    api.GET('/api/campaigns/', { params: { query: { ...query, include: 'results', ...request } }, signal }),
  ) as Promise<Page<ListedCampaign>>
