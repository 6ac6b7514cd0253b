import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { type RefObject, useState } from 'react'
import { FilterChip } from '../../../patterns/filter-chip.tsx'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { MenuButton } from '../../../ui/menu.tsx'
import type { MenuItem } from '../../../ui/menu-model.ts'
import { SearchField } from '../../../ui/search-field.tsx'
import { type LeadSource, sourcesQuery } from '../lead-queries.ts'
import { type FilterKey, filterKeys } from '../lead-search.ts'
import {
  choicesOf,
  type DialogFilter,
  describeFilter,
  isDialogFilter,
  OwnerValue,
  toggleValue,
} from './filter-values.tsx'
import type { LeadList } from './use-lead-list.ts'

const FilterDialog = lazyPart(() => import('./filter-dialog.tsx'), 'FilterDialog')

type FilterList = Pick<LeadList, 'filters' | 'setFilter' | 'me' | 'pages' | 'query'>

/** The filters of the list as chips, and a menu that adds others. */
export function FilterBar({
  list,
  searchField,
}: {
  list: FilterList
  searchField: RefObject<HTMLInputElement | null>
}) {
  const { filters, setFilter } = list
  const [asked, ask] = useState<DialogFilter>()
  return (
    <>
      <SearchField
        ref={searchField}
        label={leadTexts.search}
        keys="/"
        value={filters.q ?? ''}
        change={(text) => setFilter('q', text || undefined)}
      />
      <FilterChips list={list} ask={ask} />
      <AddFilter list={list} ask={ask} />
      {asked && (
        <FilterDialog
          filter={asked}
          me={list.me}
          value={filters[asked]}
          choose={(value) => {
            setFilter(asked, value)
            ask(undefined)
          }}
          close={() => ask(undefined)}
        />
      )}
    </>
  )
}

/** Sources are requested only if a filter needs their names. */
const useSources = (isNeeded: boolean): readonly LeadSource[] | undefined =>
  useQuery({ ...sourcesQuery, enabled: isNeeded }).data

/** Without `ask` the chips can only be removed, and the search text is one of them. */
export function FilterChips({ list, ask }: { list: FilterList; ask?: (filter: DialogFilter) => void }) {
  const { filters, setFilter, me } = list
  const sources = useSources(filters.source !== undefined)
  return filterKeys
    .filter((filter) => filters[filter] && (filter !== 'q' || !ask))
    .map((filter) => {
      const value = filters[filter]!
      const text = describeFilter(filter, value, { sources, locale: me.locale })
      const content = filter === 'owner' ? <OwnerValue owner={value} list={list} /> : text
      const label = leadTexts.filters[filter]
      const choices = choicesOf(filter, sources)
      return (
        <FilterChip key={filter} label={label} remove={() => setFilter(filter, undefined)}>
          {choices && ask ? (
            <MenuButton
              variant="plain"
              align="start"
              label={`${leadTexts.changeFilter(label)}: ${text}`}
              items={toMenuItems(filter, choices, list)}
            >
              {content}
            </MenuButton>
          ) : isDialogFilter(filter) && ask ? (
            <Button variant="plain" onClick={() => ask(filter)}>
              <span className="visually-hidden">{leadTexts.changeFilter(label)}: </span>
              {content}
            </Button>
          ) : (
            <span>{content}</span>
          )}
        </FilterChip>
      )
    })
}

function toMenuItems(
  filter: FilterKey,
  choices: readonly { value: string; label: string }[],
  { filters, query, setFilter }: Pick<FilterList, 'filters' | 'setFilter' | 'query'>,
): MenuItem[] {
  // The value `open` is shown as the statuses that it stands for.
  const chosen = filter === 'status' ? query.status?.join(',') : filters[filter]
  return choices.map(({ value, label }) => ({
    kind: 'choice',
    label,
    isChosen: chosen?.split(',').includes(value) ?? false,
    staysOpen: true,
    run: () => setFilter(filter, toggleValue(chosen, value)),
  }))
}

function AddFilter({ list, ask }: { list: FilterList; ask: (filter: DialogFilter) => void }) {
  const [filter, setChosen] = useState<FilterKey>()
  const sources = useSources(filter === 'source')
  const choices = filter && choicesOf(filter, sources)
  const unused = filterKeys.filter((key) => key !== 'q' && key !== 'response' && !list.filters[key])
  const items: MenuItem[] = choices
    ? [{ kind: 'title', label: leadTexts.filters[filter] }, ...toMenuItems(filter, choices, list)]
    : unused.map((key) => ({
        label: leadTexts.filters[key],
        staysOpen: !isDialogFilter(key),
        run: () => (isDialogFilter(key) ? ask(key) : setChosen(key)),
      }))
  return (
    <MenuButton
      variant="quiet"
      size="small"
      align="start"
      label={leadTexts.addFilter}
      icon={<Plus size={14} />}
      items={items}
      onClose={() => setChosen(undefined)}
    >
      {leadTexts.filter}
    </MenuButton>
  )
}
