import { defineSearch, type Filters, type ListSearch } from '../../patterns/list/list-search.ts'
import { leadStatuses } from './lead-status.ts'

export type FilterKey = 'owner' | 'status' | 'grade' | 'source' | 'tag' | 'score' | 'created' | 'response' | 'q'
export type LeadFilters = Filters<FilterKey>

export type LeadView = 'queue' | 'all' | 'unassigned'
export type LeadTab = 'activity' | 'details' | 'cadences' | 'campaigns' | 'duplicates'
export type ComposeKind = 'call' | 'email' | 'note' | 'task'
export type LeadSearch = ListSearch<FilterKey, LeadView, LeadSort> & { tab?: LeadTab; compose?: ComposeKind }

const leadSorts = [
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

/** The status `open` stands for all statuses of open leads. */
export const leadSearch = defineSearch({
  filters: {
    owner: /^(me|none|any|[\da-f-]{36})$/,
    status: new RegExp(`^(open|any|(${leadStatuses.join('|')})(,(${leadStatuses.join('|')}))*)$`),
    grade: /^[ABC](,[ABC])*$/,
    source: /^[a-z\d_]{1,50}(,[a-z\d_]{1,50}){0,9}$/,
    tag: /^.{1,50}$/,
    score: /^\d{0,3}-\d{0,3}$/,
    created: /^(\d{1,3}d|(\d{4}-\d\d-\d\d)?\.\.(\d{4}-\d\d-\d\d)?)$/,
    response: /^(late|awaiting)$/,
    q: /\S/,
  },
  views: { queue: { owner: 'me', status: 'open' }, all: {}, unassigned: { owner: 'none' } },
  sorts: leadSorts,
  passing: {
    tab: ['activity', 'details', 'cadences', 'campaigns', 'duplicates'] as const,
    compose: ['call', 'email', 'note', 'task'] as const,
  },
})
export const { parse: parseLeadSearch, filtersOf, viewOf, withFilter, describeView } = leadSearch

/** Whether the figures of the owner are those of the list: they count open leads and know no other filter. */
export const hasFigures = ({ owner, status = 'open', response: _, ...others }: LeadFilters): boolean =>
  owner !== 'none' && status === 'open' && Object.keys(others).length === 0
