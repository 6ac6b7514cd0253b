import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export type Activity = Schemas['Activity']
export type NewActivity = Schemas['CreateLeadActivityRequest']
export type ActivityChanges = Schemas['UpdateLeadActivityRequest']

/** The record whose timeline is shown. */
export type TimelineRecord = { type: 'lead' | 'contact' | 'account' | 'opportunity'; id: string }

const plurals = { lead: 'leads', contact: 'contacts', account: 'accounts', opportunity: 'opportunities' } as const

const pageSize = 30

export const useTimeline = (record: TimelineRecord) =>
  useInfiniteQuery({
    queryKey: areaKeys.timeline(record),
    queryFn: ({ pageParam, signal }) => listActivities(record, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

/** All types of records have the same operations, with the id as the only parameter. */
const pathOf = ({ type }: TimelineRecord) =>
  `/api/${plurals[type]}/{lead_id}/activities` as '/api/leads/{lead_id}/activities'

const listActivities = (record: TimelineRecord, cursor: string | undefined, signal: AbortSignal) =>
  read(
    api.GET(pathOf(record), {
      params: { path: { lead_id: record.id }, query: { limit: pageSize, cursor, count: 'none' } },
      signal,
    }),
  )

export const createActivity = (record: TimelineRecord, body: NewActivity, key: string): Promise<Activity> =>
  read(api.POST(pathOf(record), { params: { path: { lead_id: record.id } }, headers: withKey(key), body }))

export const updateActivity = (record: TimelineRecord, { id, version }: Activity, body: ActivityChanges) =>
  read(
    api.PATCH(`${pathOf(record)}/{activity_id}`, {
      params: { path: { lead_id: record.id, activity_id: id } },
      headers: ifMatch(version),
      body,
    }),
  )

/**
 * Reads the record again, because an activity changes status, score and dates on the server. Lists
 * keep their order until they are shown again, so that the next row is the one that the user saw.
 */
export function useRefreshRecord({ type }: TimelineRecord) {
  const queries = useQueryClient()
  const all = [plurals[type]]
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => queryKey[1] !== 'list' }),
      type !== 'opportunity' && queries.invalidateQueries({ queryKey: [...all, 'list'], refetchType: 'none' }),
      queries.invalidateQueries({ queryKey: queryKeys.home }),
    ])
}
