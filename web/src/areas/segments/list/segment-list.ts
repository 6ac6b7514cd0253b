import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import type { ListDefinition } from '../../../patterns/list/list-definition.ts'
import type { Filters } from '../../../patterns/list/list-search.ts'
import { segmentTexts } from '../../../texts/en/segment-texts.ts'
import type { ObjectType, SegmentRow } from '../segment-queries.ts'
import { objectTypes, segmentSearch } from '../segment-search.ts'
import { segmentColumns, standardColumns } from './segment-columns.tsx'

type SegmentQuery = {
  object_type?: ObjectType
  kind?: SegmentRow['kind']
  state?: SegmentRow['state']
  search?: string
  sort: 'name' | '-name'
}

const { filterChoices: choices, types } = segmentTexts

function toQuery({ type, kind, state, q }: Filters, sort: string): SegmentQuery {
  return {
    ...(type && { object_type: type as ObjectType }),
    ...(kind && { kind: kind as SegmentRow['kind'] }),
    ...(state && { state: state as SegmentRow['state'] }),
    ...(q && { search: q }),
    sort: sort as SegmentQuery['sort'],
  }
}

export const segmentList: ListDefinition<SegmentRow, SegmentQuery> = {
  name: 'segments',
  path: '/segments',
  search: segmentSearch,
  standardView: () => 'all',
  toQuery,
  keyOf: (query) => areaKeys.segments.list(query),
  load: (query) => (request, signal) =>
    read(api.GET('/api/segments', { params: { query: { ...query, ...request } }, signal })),
  texts: segmentTexts.list,
  filters: {
    type: { choices: objectTypes.map((value) => ({ value, label: types[value] })), isSingle: true },
    kind: {
      choices: (['dynamic', 'static'] as const).map((value) => ({ value, label: segmentTexts.kinds[value] })),
      isSingle: true,
    },
    state: {
      choices: (['ok', 'invalid'] as const).map((value) => ({ value, label: choices[value] })),
      isSingle: true,
    },
    q: { isHidden: true },
  },
  columns: segmentColumns,
  standardColumns,
  nameOf: ({ name }) => name,
}
