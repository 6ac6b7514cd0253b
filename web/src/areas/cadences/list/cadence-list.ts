import { areaKeys } from '../../../api/area-keys.ts'
import { api, read, type Schemas } from '../../../api/client.ts'
import type { FilterDefinition, ListDefinition } from '../../../patterns/list/list-definition.ts'
import type { Filters } from '../../../patterns/list/list-search.ts'
import { cadenceListTexts as texts } from '../../../texts/en/cadence-list-texts.ts'
import { cadenceTexts } from '../../../texts/en/cadence-texts.ts'
import { cadenceColumns, standardColumns } from './cadence-columns.tsx'
import { type CadenceStatus, cadenceListSearch, cadenceStatuses, currentStatuses } from './cadence-list-search.ts'

export type CadenceRow = Schemas['ListedCadence']

function toQuery({ owner, status, q }: Filters, sort: string) {
  const statuses = status === 'current' ? currentStatuses : (status?.split(',') as CadenceStatus[] | undefined)
  return {
    include: 'results' as const,
    sort: sort as '-created_at' | 'created_at',
    ...(owner && { owner_id: owner }),
    ...(statuses && { status: [...statuses] }),
    ...(q && { search: q }),
  }
}

const filters: Readonly<Record<string, FilterDefinition>> = {
  owner: { dialog: 'owner', excludesNone: true },
  status: {
    choices: cadenceStatuses.map((value) => ({ value, label: cadenceTexts.statuses[value] })),
    moreOptions: [{ value: 'current', label: texts.isCurrent }],
    describe: (value) => (value === 'current' ? texts.isCurrent : undefined),
    expand: (value) => (value === 'current' ? currentStatuses.join() : value),
  },
  q: { isHidden: true },
}

export const cadenceList: ListDefinition<CadenceRow, ReturnType<typeof toQuery>> = {
  path: '/cadences',
  name: 'cadences',
  search: cadenceListSearch,
  standardView: () => 'current',
  toQuery,
  keyOf: areaKeys.cadences.list,
  load: (query) => (request, signal) =>
    read(api.GET('/api/cadences/', { params: { query: { ...query, ...request } }, signal })),
  texts,
  filters,
  columns: cadenceColumns,
  standardColumns,
  nameOf: ({ name }) => name,
}
