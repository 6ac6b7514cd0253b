import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../../api/area-keys.ts'
import { api, read, type Schemas } from '../../../api/client.ts'

export type AccountDeal = Schemas['ListedOpportunity']
export type AccountPerson = Schemas['ListedContact']
export type AccountRoom = Schemas['RoomSummary']

const pageSize = 200

/** The deals of an account, by the day on which they close. */
export const accountDealsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: areaKeys.accounts.deals(id),
    queryFn: ({ pageParam: cursor, signal }) => {
      const query = { limit: pageSize, cursor, sort: 'close_on' as const, fields: 'summary' as const }
      return read(
        api.GET('/api/accounts/{account_id}/opportunities', { params: { path: { account_id: id }, query }, signal }),
      )
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

export const accountPeopleQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: areaKeys.accounts.contacts(id),
    queryFn: ({ pageParam: cursor, signal }) =>
      read(
        api.GET('/api/accounts/{account_id}/contacts', {
          params: { path: { account_id: id }, query: { limit: pageSize, cursor } },
          signal,
        }),
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

export const accountRoomsQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.accounts.rooms(id),
    queryFn: async ({ signal }) => {
      const query = { account_id: id, limit: 100, count: 'none' as const }
      return (await read(api.GET('/api/enablement/rooms/', { params: { query }, signal }))).items
    },
  })

/** The subsidiaries of an account, with their figures. */
export const subsidiariesQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.accounts.children(id),
    queryFn: async ({ signal }) => {
      const query = {
        parent_account_id: id,
        limit: pageSize,
        count: 'none' as const,
        fields: 'summary' as const,
        include: 'stats' as const,
      }
      return (await read(api.GET('/api/accounts/', { params: { query }, signal }))).items
    },
  })
