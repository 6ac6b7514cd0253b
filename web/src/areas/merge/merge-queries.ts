import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas, withKey } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'

export type Lead = Schemas['Lead']
export type Contact = Schemas['Contact']
export type Preferences = Record<string, string>
type Merge = { keptId: string; otherId: string; prefer: Preferences }

/** Read for the comparison: the values that the merge will meet. */
export const comparedLeadQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.leads.compared(id),
    queryFn: ({ signal }) => read(api.GET('/api/leads/{lead_id}', { params: { path: { lead_id: id } }, signal })),
    staleTime: 0,
  })

export const comparedContactQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.contacts.compared(id),
    queryFn: ({ signal }) =>
      read(api.GET('/api/contacts/{contact_id}', { params: { path: { contact_id: id } }, signal })),
    staleTime: 0,
  })

const toBody = ({ otherId, prefer }: Merge) => ({ duplicate_ids: [otherId], prefer })

export async function requestLeadMerge(merge: Merge, key: string): Promise<string> {
  const params = { path: { lead_id: merge.keptId } }
  const { merge_id } = await read(
    api.POST('/api/leads/{lead_id}/merge', { params, headers: withKey(key), body: toBody(merge) }),
  )
  await refresh(queryKeys.leads.all)
  return merge_id
}

/** Returns the number of enrollments that the merge had ended and that stay ended. */
export async function requestMergeUndo(mergeId: string): Promise<number> {
  const params = { path: { merge_id: mergeId } }
  const { ended_enrollments } = await read(api.POST('/api/leads/merges/{merge_id}/undo', { params }))
  await refresh(queryKeys.leads.all)
  return ended_enrollments
}

export async function requestContactMerge(merge: Merge, key: string): Promise<void> {
  const params = { path: { contact_id: merge.keptId } }
  await read(api.POST('/api/contacts/{contact_id}/merge', { params, headers: withKey(key), body: toBody(merge) }))
  await Promise.all([refresh(areaKeys.contacts.all), refresh(areaKeys.deals.all)])
}

const refresh = (queryKey: readonly unknown[]) => queryClient.invalidateQueries({ queryKey })
