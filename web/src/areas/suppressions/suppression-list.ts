import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas } from '../../api/client.ts'
import type { ListDefinition } from '../../patterns/list/list-definition.ts'
import { defineSearch, type Filters } from '../../patterns/list/list-search.ts'
import { suppressionTexts as texts } from '../../texts/en/suppression-texts.ts'
import { standardColumns, suppressionColumns } from './suppression-columns.tsx'

export type Suppression = Schemas['Suppression']

const channels = ['email', 'survey', 'phone'] as const

const search = defineSearch({
  filters: { channel: /^(any|email|survey|phone)$/, q: /\S/ },
  views: { all: {}, email: { channel: 'email' }, survey: { channel: 'survey' }, phone: { channel: 'phone' } },
  sorts: ['-at', 'at'] as const,
})

/** Addresses are stored as hashes, so that only a whole one is found. */
const minSearch = 3

function toQuery({ channel, q }: Filters, sort: string) {
  return {
    sort: sort as '-at' | 'at',
    ...(channel && { channel: channel as (typeof channels)[number] }),
    ...(q && q.trim().length >= minSearch && { search: q.trim() }),
  }
}

export const suppressionList: ListDefinition<Suppression, ReturnType<typeof toQuery>> = {
  path: '/suppressions',
  name: 'suppressions',
  search,
  standardView: () => 'all',
  toQuery,
  keyOf: areaKeys.suppressions.list,
  load: (query) => (request, signal) =>
    read(api.GET('/api/leads/suppressions', { params: { query: { ...query, ...request } }, signal })),
  texts,
  filters: {
    channel: { choices: channels.map((value) => ({ value, label: texts.channels[value] })), isSingle: true },
    q: { isHidden: true },
  },
  columns: suppressionColumns,
  standardColumns,
  nameOf: ({ subject }) => subject ?? texts.unknown,
}
