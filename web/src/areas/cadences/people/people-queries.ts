import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import type { PageRequest } from '../../../api/pages.ts'
import type { CadenceSearch } from '../record/cadence-search.ts'
import type { Enrollment } from './enrollment-rows.ts'

const toQuery = ({ status, reason, at, sender }: CadenceSearch) => ({
  status,
  exit_reason: reason as Enrollment['exit_reason'] & string,
  step_id: at,
  sender_id: sender,
})

export const peopleKey = (id: string, search: CadenceSearch) => areaKeys.cadences.peopleList(id, toQuery(search))

export const loadPeople = (id: string, search: CadenceSearch) => (request: PageRequest, signal: AbortSignal) =>
  read(
    api.GET('/api/cadences/{cadence_id}/enrollments', {
      params: { path: { cadence_id: id }, query: { ...toQuery(search), ...request } },
      signal,
    }),
  )

export type NextStatus = 'active' | 'paused' | 'exited'

export const updateEnrollment = ({ id, cadence_id }: Enrollment, status: NextStatus): Promise<Enrollment> =>
  read(
    api.PATCH('/api/cadences/{cadence_id}/enrollments/{enrollment_id}', {
      params: { path: { cadence_id, enrollment_id: id } },
      body: { status },
    }),
  )
