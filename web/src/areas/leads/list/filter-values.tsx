import { useQuery } from '@tanstack/react-query'
import { userQuery } from '../../../patterns/shared-queries.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Avatar } from '../../../ui/avatar.tsx'
import { formatDate } from '../../../ui/format.ts'
import type { LeadRow, LeadSource } from '../lead-queries.ts'
import type { FilterKey } from '../lead-search.ts'
import { type LeadStatus, leadStatuses } from '../lead-status.ts'
import { labelOfSource } from '../source-labels.ts'
import type { LeadList } from './use-lead-list.ts'

type Choice = { value: string; label: string }

/** Filters whose value is asked for in a dialog. */
export type DialogFilter = 'owner' | 'tag' | 'score' | 'created'
export const isDialogFilter = (filter: FilterKey): filter is DialogFilter =>
  ['owner', 'tag', 'score', 'created'].includes(filter)

/** The values of a filter that are chosen from a list; undefined if the value is asked for in a dialog. */
export function choicesOf(filter: FilterKey, sources: readonly LeadSource[] = []): readonly Choice[] | undefined {
  if (filter === 'status') return leadStatuses.map((value) => ({ value, label: leadTexts.statuses[value] }))
  if (filter === 'grade') return ['A', 'B', 'C'].map((value) => ({ value, label: value }))
  if (filter === 'source') return sources.map(({ key, label }) => ({ value: key, label }))
  return undefined
}

/** Adds or removes one value of a list; undefined if no value is left. */
export function toggleValue(list: string | undefined, value: string): string | undefined {
  const values = list ? list.split(',') : []
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
  return next.length > 0 ? next.join(',') : undefined
}

/** A filter value as text. The owner is shown by `OwnerValue`. */
export function describeFilter(
  filter: FilterKey,
  value: string,
  { sources, locale }: { sources?: readonly LeadSource[]; locale: string },
): string {
  const values = value.split(',')
  if (filter === 'status')
    return value === 'open'
      ? leadTexts.isOpen
      : values.map((status) => leadTexts.statuses[status as LeadStatus]).join(', ')
  if (filter === 'source') return values.map((key) => labelOfSource(sources, key)).join(', ')
  if (filter === 'grade') return values.join(', ')
  if (filter === 'response') return leadTexts.responses[value as 'late' | 'awaiting']
  if (filter === 'score') {
    const [from = '', to = ''] = value.split('-')
    return leadTexts.range(from, to)
  }
  if (filter === 'created') {
    if (value.endsWith('d')) return leadTexts.lastDays(Number.parseInt(value, 10))
    const [from, to] = value.split('..').map((day) => (day ? formatDate(day, locale) : ''))
    return leadTexts.range(from ?? '', to ?? '')
  }
  return value
}

export function OwnerValue({ owner, list }: { owner: string; list: Pick<LeadList, 'me' | 'pages'> }) {
  const name = useOwnerName(owner, list.pages.loaded)
  if (owner === 'none') return leadTexts.noOwner
  return (
    <>
      <Avatar name={owner === 'me' ? list.me.name : name} />
      {owner === 'me' ? leadTexts.me : name}
    </>
  )
}

/** The rows of the list have the name of their owner, so that it is rarely requested. */
function useOwnerName(owner: string, rows: readonly LeadRow[]): string {
  const known = rows.find((row) => row.owner?.id === owner)?.owner?.name
  const { data } = useQuery({ ...userQuery(owner), enabled: !known && owner.length === 36 && rows.length === 0 })
  return known ?? data?.name ?? leadTexts.unknownOwner
}
