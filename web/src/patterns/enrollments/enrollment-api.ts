import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

export type Enrollment = Schemas['PersonEnrollment']

/** The person whose enrollments are shown. */
export type EnrolledPerson = { type: 'lead' | 'contact'; id: string }

const pageSize = 100

export const useEnrollments = (person: EnrolledPerson, { enabled = true } = {}) =>
  useInfiniteQuery({
    queryKey: areaKeys.enrollments(person),
    queryFn: ({ pageParam, signal }) => listEnrollments(person, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    enabled,
  })

function listEnrollments({ type, id }: EnrolledPerson, cursor: string | undefined, signal: AbortSignal) {
  const ofPerson = type === 'lead' ? { lead_id: id } : { contact_id: id }
  const query = { ...ofPerson, limit: pageSize, cursor, count: 'none' as const }
  return read(api.GET('/api/cadences/enrollments', { params: { query }, signal }))
}

export const updateEnrollment = (
  { id, cadence_id }: Enrollment,
  status: 'active' | 'paused' | 'exited',
): Promise<Schemas['CadenceEnrollment']> =>
  read(
    api.PATCH('/api/cadences/{cadence_id}/enrollments/{enrollment_id}', {
      params: { path: { cadence_id, enrollment_id: id } },
      body: { status },
    }),
  )

/** Reads the enrollments again, and what shows their tasks. */
export function useRefreshEnrollments(person: EnrolledPerson) {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: areaKeys.enrollments(person) }),
      person.type === 'lead' &&
        queries.invalidateQueries({ queryKey: areaKeys.timeline({ type: 'lead', id: person.id }) }),
      queries.invalidateQueries({ queryKey: queryKeys.home }),
    ])
}
