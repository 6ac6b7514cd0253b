import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, ifMatch, read, type Schemas, withKey } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { queryKeys } from '../../api/query-keys.ts'

export type Cadence = Schemas['Cadence']
export type CadenceStats = Schemas['CadenceStats']
export type CadenceChanges = Schemas['UpdateCadenceRequest']
export type NewCadence = Schemas['CreateCadenceRequest']

const pathOf = (id: string) => ({ path: { cadence_id: id } })

export const cadenceQuery = (id: string) =>
  queryOptions({ queryKey: areaKeys.cadences.detail(id), queryFn: ({ signal }) => loadCadence(id, signal) })

export const loadCadence = (id: string, signal?: AbortSignal): Promise<Cadence> =>
  read(api.GET('/api/cadences/{cadence_id}', { params: pathOf(id), signal }))

export const statsQuery = (id: string) =>
  queryOptions({
    queryKey: areaKeys.cadences.stats(id),
    queryFn: ({ signal }) => read(api.GET('/api/cadences/{cadence_id}/stats', { params: pathOf(id), signal })),
  })

export const createCadence = (body: NewCadence, key: string): Promise<Cadence> =>
  read(api.POST('/api/cadences/', { headers: withKey(key), body }))

export const changeCadence = (id: string, version: number, body: CadenceChanges): Promise<Cadence> =>
  read(api.PATCH('/api/cadences/{cadence_id}', { params: pathOf(id), headers: ifMatch(version), body }))

export const deleteCadence = ({ id, version }: Cadence): Promise<unknown> =>
  read(api.DELETE('/api/cadences/{cadence_id}', { params: pathOf(id), headers: ifMatch(version) }))

export const replaceSteps = (
  id: string,
  version: number,
  steps: Schemas['ReplaceCadenceStepsRequest']['steps'],
): Promise<Cadence> =>
  read(api.PUT('/api/cadences/{cadence_id}/steps', { params: pathOf(id), headers: ifMatch(version), body: { steps } }))

/** Shows a cadence that the API returned. The list and the figures are read again when they are shown. */
export function storeCadence(cadence: Cadence): void {
  const before = queryClient.getQueryData<Cadence>(areaKeys.cadences.detail(cadence.id))
  if (before && before.version > cadence.version) return
  queryClient.setQueryData(areaKeys.cadences.detail(cadence.id), cadence)
  void queryClient.invalidateQueries({ queryKey: areaKeys.cadences.lists })
}

/** Reads the people and the figures of a cadence again, after some of them have changed. */
export const refreshPeople = (id: string): Promise<unknown> =>
  Promise.all(
    [
      areaKeys.cadences.detail(id),
      areaKeys.cadences.stats(id),
      areaKeys.cadences.people(id),
      areaKeys.cadences.lists,
      queryKeys.home,
    ].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  )

export const variablesQuery = queryOptions({
  queryKey: areaKeys.cadences.variables,
  queryFn: async ({ signal }) => (await read(api.GET('/api/cadences/variables', { signal }))).items,
  staleTime: 10 * 60_000,
})

export type CrmSettings = Schemas['GetCrmSettingsResult']

export const replaceCrmSettings = ({ version, ...settings }: CrmSettings): Promise<CrmSettings> =>
  read(api.PUT('/api/leads/settings', { headers: ifMatch(version), body: settings }))

/** The users who can set the addresses. */
export const adminsQuery = queryOptions({
  queryKey: areaKeys.cadences.admins,
  queryFn: ({ signal }) => {
    const query = { role: ['admin' as const], status: ['active' as const], sort: 'name' as const, limit: 50 }
    return read(api.GET('/api/users/', { params: { query }, signal }))
  },
  staleTime: 10 * 60_000,
})
