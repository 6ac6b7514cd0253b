import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas, withKey } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import type { ListedImport, Outcome, RecordImport, RecordType } from './model/types.ts'

type Mapping = Schemas['ImportMapping']

/** Both kinds of imports have the same requests, of which only the path differs. */
const pathsOf = (type: RecordType) => {
  const base = `/api/${type}/imports` as '/api/leads/imports'
  return {
    list: base,
    one: `${base}/{import_id}`,
    mapping: `${base}/{import_id}/mapping`,
    run: `${base}/{import_id}/run`,
    cancel: `${base}/{import_id}/cancel`,
    undo: `${base}/{import_id}/undo`,
    rows: `${base}/{import_id}/rows`,
    errors: `${base}/{import_id}/errors.csv`,
  } as const
}

const params = (id: string) => ({ path: { import_id: id } })

export const uploadPath = (type: RecordType): string => pathsOf(type).list

const atWork: readonly ListedImport['state'][] = ['checking', 'running', 'undoing']
export const isAtWork = ({ state }: Pick<ListedImport, 'state'>): boolean => atWork.includes(state)

const pollMs = 2_000

/** Reads the import again while its task runs, because the events of a task have no counts. */
export const importQuery = (type: RecordType, id: string) =>
  queryOptions({
    queryKey: areaKeys.imports.detail(type, id),
    queryFn: ({ signal }): Promise<RecordImport> => read(api.GET(pathsOf(type).one, { params: params(id), signal })),
    refetchInterval: ({ state: { data } }) => (data && isAtWork(data) ? pollMs : false),
  })

export const storeImport = (type: RecordType, file: RecordImport): void => {
  queryClient.setQueryData(importQuery(type, file.id).queryKey, file)
}

export const refreshImport = (type: RecordType, id: string): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: areaKeys.imports.detail(type, id) })

export const standardFieldsQuery = (type: RecordType) =>
  queryOptions({
    queryKey: areaKeys.standardFields(type),
    queryFn: async ({ signal }) => {
      const object_type = type === 'leads' ? 'lead' : 'contact'
      const path = '/api/custom-fields/standard/{object_type}'
      return (await read(api.GET(path, { params: { path: { object_type } }, signal }))).items
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const saveMapping = (type: RecordType, id: string, body: Mapping): Promise<RecordImport> =>
  read(api.PUT(pathsOf(type).mapping, { params: params(id), body }))

export const startImport = (type: RecordType, id: string, isDryRun: boolean, key: string) =>
  read(api.POST(pathsOf(type).run, { params: params(id), headers: withKey(key), body: { dry_run: isDryRun } }))

export const cancelImport = (type: RecordType, id: string) =>
  read(api.POST(pathsOf(type).cancel, { params: params(id) }))

export const undoImport = (type: RecordType, id: string) => read(api.POST(pathsOf(type).undo, { params: params(id) }))

export const rowsPerPage = 200

/** Which rows are shown; `warnings` are rows of any outcome. */
export type RowFilter = Outcome | 'undone' | 'kept'

/** `run` tells the rows of one check or run from those of another. */
export const rowsQuery = (type: RecordType, id: string, filter: RowFilter, run: string) =>
  infiniteQueryOptions({
    queryKey: areaKeys.imports.rows(type, id, { filter, run }),
    queryFn: ({ pageParam, signal }) => {
      const wanted = filter === 'warnings' ? { has_warnings: true } : { outcome: filter }
      const query = { ...wanted, limit: rowsPerPage, cursor: pageParam, count: 'none' as const }
      return read(api.GET(pathsOf(type).rows, { params: { ...params(id), query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })

/** The byte order mark is lost while the text is read, and spreadsheets need it. */
export async function loadErrors(type: RecordType, id: string): Promise<Blob> {
  const text: unknown = await read(api.GET(pathsOf(type).errors, { params: params(id), parseAs: 'text' }))
  return new Blob([`\uFEFF${text}`], { type: 'text/csv' })
}

const pageSize = 50

export const importsQuery = (type: RecordType) =>
  infiniteQueryOptions({
    queryKey: areaKeys.imports.list(type),
    queryFn: ({ pageParam, signal }) => {
      const query = { limit: pageSize, cursor: pageParam, count: 'none' as const }
      return read(api.GET(pathsOf(type).list, { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
  })
