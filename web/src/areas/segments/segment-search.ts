import { defineSearch } from '../../patterns/list/list-search.ts'
import type { ObjectType } from './segment-queries.ts'

export const objectTypes = ['lead', 'contact', 'account'] as const satisfies readonly ObjectType[]

export const segmentSearch = defineSearch({
  filters: {
    type: /^(lead|contact|account)$/,
    kind: /^(dynamic|static)$/,
    state: /^(ok|invalid)$/,
    q: /\S/,
  },
  views: { all: {}, leads: { type: 'lead' }, contacts: { type: 'contact' }, accounts: { type: 'account' } },
  sorts: ['name', '-name'],
})

const tabs = ['rule', 'people', 'uses', 'settings'] as const
export type SegmentTab = (typeof tabs)[number]

export const parseTab = (search: object): SegmentTab | undefined =>
  tabs.find((tab) => 'tab' in search && search.tab === tab)

export const parseType = (search: object): ObjectType =>
  objectTypes.find((type) => 'type' in search && search.type === type) ?? 'lead'
