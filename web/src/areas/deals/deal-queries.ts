import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api, ifMatch, read, type Schemas } from '../../api/client.ts'
import { type DealBoard, type DealSummary, findDeal, replaceInBoard } from './board-moves.ts'

export type Deal = Schemas['Opportunity']
export type DealChanges = Schemas['UpdateOpportunityRequest']
export type NewDeal = Schemas['CreateOpportunityRequest']
export type Pipeline = Schemas['Pipeline']

/** The pipeline and owner of the deals. Without an owner, the deals of all owners. */
export type BoardFilter = { pipelineId?: string; ownerId?: string }

export const boardsKey = ['opportunities', 'board'] as const
export const dealKey = (id: string) => ['opportunities', 'detail', id] as const

export const dealQuery = (id: string) =>
  queryOptions({
    queryKey: dealKey(id),
    queryFn: ({ signal }) => readDeal(id, signal),
  })

export const readDeal = (id: string, signal?: AbortSignal): Promise<Deal> =>
  read(api.GET('/api/opportunities/{opportunity_id}', { params: { path: { opportunity_id: id } }, signal }))

export const pipelinesQuery = queryOptions({
  queryKey: ['pipelines'],
  queryFn: async ({ signal }) => (await read(api.GET('/api/opportunities/pipelines', { signal }))).items,
  staleTime: 10 * 60_000,
})

export const forecastQuery = (ownerId: string | undefined) =>
  queryOptions({
    queryKey: ['opportunities', 'forecast', ownerId ?? 'all'],
    queryFn: ({ signal }) =>
      read(api.GET('/api/opportunities/forecast', { params: { query: { owner_id: ownerId } }, signal })),
  })

export const forecastUsersQuery = queryOptions({
  queryKey: ['users', 'forecast'],
  queryFn: ({ signal }) => read(api.GET('/api/users/forecast-users', { params: { query: { limit: 200 } }, signal })),
})

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: ['users', id],
    queryFn: ({ signal }) => read(api.GET('/api/users/{user_id}', { params: { path: { user_id: id } }, signal })),
  })

/** The deals whose buyers often visit the room, of the rooms of the current user. */
export const hotRoomsQuery = queryOptions({
  queryKey: ['rooms', 'hot'],
  queryFn: async ({ signal }) => {
    const query = { mine: true, band: ['hot' as const], limit: 100, count: 'none' as const }
    const { items } = await read(api.GET('/api/enablement/rooms/', { params: { query }, signal }))
    return items.flatMap(({ opportunity_id }) => opportunity_id ?? [])
  },
})

export const historyQuery = (id: string) =>
  queryOptions({
    queryKey: ['opportunities', id, 'history'],
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

export const createDeal = (body: NewDeal): Promise<Deal> => read(api.POST('/api/opportunities/', { body }))

/** Shows a saved deal everywhere before the lists are read again. */
export function storeDeal(queries: QueryClient, deal: Deal): void {
  queries.setQueryData(dealKey(deal.id), deal)
  queries.setQueriesData<DealBoard>({ queryKey: boardsKey }, (board) => board && replaceInBoard(board, deal))
}

/** Reads all lists and figures of deals again, in which the server may have changed more than one deal. */
export const refreshDeals = (queries: QueryClient) =>
  Promise.all([
    queries.invalidateQueries({ queryKey: ['opportunities'] }),
    queries.invalidateQueries({ queryKey: ['home'] }),
  ])

/** The newest version of a deal that this browser has received. */
export function versionOf(queries: QueryClient, { id, version }: Pick<DealSummary, 'id' | 'version'>): number {
  const boards = queries.getQueriesData<DealBoard>({ queryKey: boardsKey })
  const stored = queries.getQueryData<Deal>(dealKey(id))
  return Math.max(
    version,
    stored?.version ?? 0,
    ...boards.map(([, board]) => (board && findDeal(board, id)?.version) || 0),
  )
}
