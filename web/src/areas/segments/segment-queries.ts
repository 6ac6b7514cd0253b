import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'

export type Segment = Schemas['Segment']
export type SegmentRow = Schemas['SegmentSummary']
export type ObjectType = Segment['object_type']
export type SegmentChanges = Schemas['UpdateSegmentRequest']
export type NewSegment = Schemas['CreateSegmentRequest']

export const segmentQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.segments.detail(id),
    queryFn: ({ signal }) =>
      read(api.GET('/api/segments/{segment_id}', { params: { path: { segment_id: id } }, signal })),
  })

const catalogueStaleMs = 5 * 60_000

export const catalogueQuery = (objectType: ObjectType) =>
  queryOptions({
    queryKey: areaKeys.segments.catalogue(objectType),
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/segments/rule-fields/{object_type}', { params: { path: { object_type: objectType } }, signal }),
      ),
    staleTime: catalogueStaleMs,
  })

export const createSegment = (body: NewSegment, key: string) =>
  read(api.POST('/api/segments', { headers: withKey(key), body }))

export const updateSegment = (id: string, version: number, body: SegmentChanges) =>
  read(
    api.PATCH('/api/segments/{segment_id}', {
      params: { path: { segment_id: id } },
      headers: ifMatch(version),
      body,
    }),
  )

export const reloadSegment = (id: string): Promise<Segment> =>
  read(api.GET('/api/segments/{segment_id}', { params: { path: { segment_id: id } } }))

export const deleteSegment = (id: string, version: number) =>
  read(api.DELETE('/api/segments/{segment_id}', { params: { path: { segment_id: id } }, headers: ifMatch(version) }))

export function storeSegment(segment: Segment): void {
  queryClient.setQueryData(segmentQuery(segment.id).queryKey, segment)
  void queryClient.invalidateQueries({ queryKey: areaKeys.segments.lists })
}

export const refreshMembers = (id: string): Promise<unknown> =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: areaKeys.segments.members(id) }),
    queryClient.invalidateQueries({ queryKey: areaKeys.segments.detail(id) }),
    queryClient.invalidateQueries({ queryKey: areaKeys.segments.lists }),
  ])
