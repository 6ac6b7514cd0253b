import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export type Activity = Schemas['Activity']
export type NewActivity = Schemas['CreateLeadActivityRequest']
export type ActivityChanges = Schemas['UpdateLeadActivityRequest']

/** The record whose timeline is shown. */
export type TimelineRecord = { type: 'lead' | 'opportunity'; id: string }

const pageSize = 30

export const useTimeline = (record: TimelineRecord) =>
  useInfiniteQuery({
    queryKey: queryKeys.timeline(record),
    queryFn: ({ pageParam, signal }) => listActivities(record, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

function listActivities({ type, id }: TimelineRecord, cursor: string | undefined, signal: AbortSignal) {
  const query = { limit: pageSize, cursor, count: 'none' as const }
  return type === 'lead'
    ? read(api.GET('/api/leads/{lead_id}/activities', { params: { path: { lead_id: id }, query }, signal }))
    : read(
        api.GET('/api/opportunities/{opportunity_id}/activities', {
          params: { path: { opportunity_id: id }, query },
          signal,
        }),
      )
}

export function createActivity({ type, id }: TimelineRecord, body: NewActivity, key: string): Promise<Activity> {
  const headers = withKey(key)
  return type === 'lead'
    ? read(api.POST('/api/leads/{lead_id}/activities', { params: { path: { lead_id: id } }, headers, body }))
    : read(
        api.POST('/api/opportunities/{opportunity_id}/activities', {
          params: { path: { opportunity_id: id } },
          headers,
          body,
        }),
      )
}

export function updateActivity(
  { type, id }: TimelineRecord,
  { id: activityId, version }: Activity,
  body: ActivityChanges,
) {
  const headers = ifMatch(version)
  return type === 'lead'
    ? read(
        api.PATCH('/api/leads/{lead_id}/activities/{activity_id}', {
          params: { path: { lead_id: id, activity_id: activityId } },
          headers,
          body,
        }),
      )
    : read(
        api.PATCH('/api/opportunities/{opportunity_id}/activities/{activity_id}', {
          params: { path: { opportunity_id: id, activity_id: activityId } },
          headers,
          body,
        }),
      )
}

/**
 * Reads the record again, because an activity changes status, score and dates on the server. Lists
 * keep their order until they are shown again, so that the next row is the one that the user saw.
 */
export function useRefreshRecord({ type }: TimelineRecord) {
  const queries = useQueryClient()
  const { all } = type === 'lead' ? queryKeys.leads : queryKeys.deals
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: all, predicate: ({ queryKey }) => queryKey[1] !== 'list' }),
      type === 'lead' && queries.invalidateQueries({ queryKey: queryKeys.leads.lists, refetchType: 'none' }),
      queries.invalidateQueries({ queryKey: queryKeys.home }),
    ])
}
