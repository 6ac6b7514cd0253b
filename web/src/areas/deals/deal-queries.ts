import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { type DealBoard, type DealSummary, findDeal, replaceInBoard } from './board-moves.ts'

export type Deal = Schemas['Opportunity']
export type DealChanges = Schemas['UpdateOpportunityRequest']
export type NewDeal = Schemas['CreateOpportunityRequest']
export type Pipeline = Schemas['Pipeline']

export type BoardFilter = { pipelineId?: string; ownerId?: string; search?: string }

export const dealQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.deals.detail(id),
    queryFn: ({ signal }) => readDeal(id, signal),
  })

export const readDeal = (id: string, signal?: AbortSignal): Promise<Deal> =>
  read(api.GET('/api/opportunities/{opportunity_id}', { params: { path: { opportunity_id: id } }, signal }))

export const forecastUsersQuery = queryOptions({
  queryKey: queryKeys.users.forecast,
  queryFn: ({ signal }) => read(api.GET('/api/users/forecast-users', { params: { query: { limit: 200 } }, signal })),
})

/** The deals whose buyers often visit the room, of the rooms of the current user. */
export const hotRoomsQuery = queryOptions({
  queryKey: areaKeys.hotRooms,
  queryFn: async ({ signal }) => {
    const query = { mine: true, band: ['hot' as const], limit: 100, count: 'none' as const }
    const { items } = await read(api.GET('/api/enablement/rooms/', { params: { query }, signal }))
    return items.flatMap(({ opportunity_id }) => opportunity_id ?? [])
  },
})

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.deals.history(id),
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/opportunities/{opportunity_id}/history', {
          params: { path: { opportunity_id: id }, query: { limit: 100, count: 'none' } },
          signal,
        }),
      ),
  })

export const updateDeal = (id: string, version: number, body: DealChanges): Promise<Deal> =>
  read(
    api.PATCH('/api/opportunities/{opportunity_id}', {
      params: { path: { opportunity_id: id } },
      headers: ifMatch(version),
      body,
    }),
  )

export const deleteDeal = ({ id, version }: Pick<Deal, 'id' | 'version'>) =>
  read(
    api.DELETE('/api/opportunities/{opportunity_id}', {
      params: { path: { opportunity_id: id } },
      headers: ifMatch(version),
    }),
  )

export const restoreDeal = (id: string): Promise<Deal> =>
  read(api.POST('/api/opportunities/{opportunity_id}/restore', { params: { path: { opportunity_id: id } } }))

export const createDeal = (body: NewDeal, key: string): Promise<Deal> =>
  read(api.POST('/api/opportunities/', { headers: withKey(key), body }))

/** Shows a saved deal everywhere before the lists are read again. */
export function storeDeal(queries: QueryClient, deal: Deal): void {
  queries.setQueryData(areaKeys.deals.detail(deal.id), deal)
  queries.setQueriesData<DealBoard>(
    { queryKey: areaKeys.deals.boards },
    (board) => board && replaceInBoard(board, deal),
  )
}

/** Reads all lists and figures of deals again, in which the server may have changed more than one deal. */
export const refreshDeals = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: areaKeys.deals.all }),
    queries.invalidateQueries({ queryKey: queryKeys.home }),
  ])

/** The newest version of a deal that this browser has received. */
export function versionOf(queries: QueryClient, { id, version }: Pick<DealSummary, 'id' | 'version'>): number {
  const boards = queries.getQueriesData<DealBoard>({ queryKey: areaKeys.deals.boards })
  const stored = queries.getQueryData<Deal>(areaKeys.deals.detail(id))
  return Math.max(
    version,
    stored?.version ?? 0,
    ...boards.map(([, board]) => (board && findDeal(board, id)?.version) || 0),
  )
}
