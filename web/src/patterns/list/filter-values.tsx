import { useQueries, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { listTexts } from '../../texts/en/list-texts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import type { Option } from '../../ui/field.tsx'
import { formatDate } from '../../ui/format.ts'
import { labelOfKey } from '../label-of-key.ts'
import { userQuery } from '../shared-queries.ts'
import type { FilterDefinition, ListDefinition } from './list-definition.ts'
import type { List } from './use-list.ts'

type Definition = Pick<ListDefinition, 'filters'>

/** The choices of filters, with those that the API knows of the filters that need them now. */
export function useChoices({ filters }: Definition, needed: readonly string[]) {
  const loaded = needed.filter((filter) => filters[filter]!.loadChoices)
  const results = useQueries({ queries: loaded.map((filter) => filters[filter]!.loadChoices!), combine: listData })
  return useMemo(
    () =>
      (filter: string): readonly Option[] | undefined => {
        const { choices, loadChoices } = filters[filter]!
        return choices ?? (loadChoices && (results[loaded.indexOf(filter)] ?? []))
      },
    [filters, loaded.join(), results],
  )
}

const listData = (results: readonly { data?: unknown }[]) =>
  results.map(({ data }) => data as readonly Option[] | undefined)

export const labelOfChoice = (choices: readonly Option[] | undefined, value: string): string =>
  choices?.find((choice) => choice.value === value)?.label ?? labelOfKey(value)

/** Adds or removes one value of a list; undefined if no value is left. */
export function toggleValue(list: string | undefined, value: string): string | undefined {
  const values = list ? list.split(',') : []
  const next = values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
  return next.length > 0 ? next.join(',') : undefined
}

export function describeFilter(
  { dialog, describe }: FilterDefinition,
  value: string,
  { choices, locale }: { choices: readonly Option[] | undefined; locale: string },
): string {
  const described = describe?.(value)
  if (described !== undefined) return described
  if (choices)
    return value
      .split(',')
      .map((one) => labelOfChoice(choices, one))
      .join(', ')
  if (dialog === 'number') {
    const [from = '', to = ''] = value.split('-')
    return listTexts.range(from, to)
  }
  if (dialog === 'period') {
    if (value.endsWith('d')) return listTexts.lastDays(Number.parseInt(value, 10))
    const [from, to] = value.split('..').map((day) => (day ? formatDate(day, locale) : ''))
    return listTexts.range(from ?? '', to ?? '')
  }
  return value
}

type ValueProps = { filter: string; value: string; text: string; list: Pick<List, 'definition' | 'me' | 'pages'> }

export function FilterValue({ filter, value, text, list }: ValueProps) {
  const { dialog, Value } = list.definition.filters[filter]!
  if (Value) return <Value value={value} />
  return dialog === 'owner' ? <OwnerValue owner={value} list={list} /> : text
}

function OwnerValue({ owner, list }: { owner: string; list: ValueProps['list'] }) {
  const name = useOwnerName(owner, list.pages.loaded)
  if (owner === 'none') return listTexts.noOwner
  return (
    <>
      <Avatar name={owner === 'me' ? list.me.name : name} />
      {owner === 'me' ? listTexts.me : name}
    </>
  )
}

type OwnedRow = { id: string; owner?: { id: string; name: string } | null }

/** The rows of the list have the name of their owner, so that it is rarely requested. */
function useOwnerName(owner: string, rows: readonly OwnedRow[]): string {
  const known = rows.find((row) => row.owner?.id === owner)?.owner?.name
  const { data } = useQuery({ ...userQuery(owner), enabled: !known && owner.length === 36 && rows.length === 0 })
  return known ?? data?.name ?? listTexts.unknownOwner
}
