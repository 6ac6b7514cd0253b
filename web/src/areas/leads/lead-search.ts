import { leadStatuses } from './lead-status.ts'

/** The filters of the list. `any` removes a filter of the view, `open` stands for all statuses of open leads. */
export const filterKeys = ['owner', 'status', 'grade', 'source', 'tag', 'score', 'created', 'response', 'q'] as const
export type FilterKey = (typeof filterKeys)[number]
export type LeadFilters = Partial<Record<FilterKey, string>>

export type LeadView = 'queue' | 'all' | 'unassigned'
export type LeadTab = 'activity' | 'details' | 'cadences' | 'campaigns' | 'duplicates'
export type ComposeKind = 'call' | 'email' | 'note' | 'task'

/** The state of the lead list. It is in the URL, so that reload, Back and a copied link show the same list. */
export type LeadSearch = LeadFilters & {
  view?: LeadView
  sort?: LeadSort
  columns?: string
  open?: string
  tab?: LeadTab
  compose?: ComposeKind
}

export const leadSorts = [
  'queue',
  'name',
  '-name',
  'score',
  '-score',
  'sla_due_at',
  '-sla_due_at',
  'last_activity_at',
  '-last_activity_at',
  'created_at',
  '-created_at',
] as const
export type LeadSort = (typeof leadSorts)[number]

const filtersOfView: Readonly<Record<LeadView, LeadFilters>> = {
  queue: { owner: 'me', status: 'open' },
  all: {},
  unassigned: { owner: 'none' },
}
export const leadViews = Object.keys(filtersOfView) as LeadView[]

const maxText = 200
const tabs: readonly LeadTab[] = ['activity', 'details', 'cadences', 'campaigns', 'duplicates']
const composeKinds: readonly ComposeKind[] = ['call', 'email', 'note', 'task']
const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value)

const patterns: Readonly<Record<FilterKey, RegExp>> = {
  owner: /^(me|none|any|[\da-f-]{36})$/,
  status: new RegExp(`^(open|any|(${leadStatuses.join('|')})(,(${leadStatuses.join('|')}))*)$`),
  grade: /^[ABC](,[ABC])*$/,
  source: /^[a-z\d_]{1,50}(,[a-z\d_]{1,50}){0,9}$/,
  tag: /^.{1,50}$/,
  score: /^\d{0,3}-\d{0,3}$/,
  created: /^(\d{1,3}d|(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?)$/,
  response: /^(late|awaiting)$/,
  q: /\S/,
}

/** Leaves out what the list does not know, so that a wrong link shows a list instead of an error. */
export function parseLeadSearch(search: Record<string, unknown>): LeadSearch {
  const filters = filterKeys.flatMap((key) => {
    const value = String(search[key] ?? '').slice(0, maxText)
    return patterns[key].test(value) ? [[key, value]] : []
  })
  const { columns, open } = search
  return removeUndefined({
    ...(Object.fromEntries(filters) as LeadFilters),
    view: oneOf(leadViews, search.view),
    sort: oneOf(leadSorts, search.sort),
    columns: typeof columns === 'string' && /^[a-z_,]+$/.test(columns) ? columns : undefined,
    open: typeof open === 'string' && /^[\da-f-]{36}$/.test(open) ? open : undefined,
    tab: oneOf(tabs, search.tab),
    compose: oneOf(composeKinds, search.compose),
  })
}

const removeUndefined = <T extends object>(value: T): T =>
  Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T

/** The filters of the view, changed by those of the URL. */
export function filtersOf(search: LeadSearch, standard: LeadView): LeadFilters {
  const all = { ...filtersOfView[search.view ?? standard], ...pickFilters(search) }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== 'any'))
}

const pickFilters = (search: LeadSearch): LeadFilters =>
  Object.fromEntries(filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])))

/** The view whose filters these are; undefined if the user has changed them. */
export const viewOf = (filters: LeadFilters): LeadView | undefined =>
  leadViews.find((view) => isSame(filtersOfView[view], filters))

const isSame = (one: LeadFilters, other: LeadFilters): boolean =>
  JSON.stringify(Object.entries(one).sort()) === JSON.stringify(Object.entries(other).sort())

/** Whether the figures of the owner are those of the list: they count open leads and know no other filter. */
export const hasFigures = ({ owner, status = 'open', response: _, ...others }: LeadFilters): boolean =>
  owner !== 'none' && status === 'open' && Object.keys(others).length === 0

/** Sets or removes one filter. The URL contains only what differs from the view. */
export function withFilter(
  search: LeadSearch,
  standard: LeadView,
  key: FilterKey,
  value: string | undefined,
): LeadSearch {
  const { [key]: _, ...others } = search
  const ofView = filtersOfView[search.view ?? standard][key]
  if (value === ofView) return others
  return { ...others, [key]: value ?? 'any' }
}

/** Returns the content of a stored view: everything but the open record. */
export function viewPart({ open: _, tab: __, compose: ___, ...view }: LeadSearch): LeadSearch {
  return view
}

/** The same text for the same list, for comparing with stored views. */
export function describeView(search: LeadSearch, standard: LeadView): string {
  const { sort = 'queue', columns = '' } = search
  return JSON.stringify([Object.entries(filtersOf(search, standard)).sort(), sort, columns])
}
