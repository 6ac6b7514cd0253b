import { Plus } from 'lucide-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { listTexts } from '../../texts/en/list-texts.ts'
import { Button } from '../../ui/button.tsx'
import type { Option } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { MenuButton } from '../../ui/menu.tsx'
import type { MenuItem } from '../../ui/menu-model.ts'
import { SearchField } from '../../ui/search-field.tsx'
import { FilterChip } from './filter-chip.tsx'
import { describeFilter, FilterValue, toggleValue, useChoices } from './filter-values.tsx'
import type { List } from './use-list.ts'

const FilterDialog = lazyPart(() => import('./filter-dialog.tsx'), 'FilterDialog')

type FilterList = Pick<List, 'definition' | 'filters' | 'setFilter' | 'me' | 'pages'>

const searchFilter = 'q'

export function FilterBar({
  list,
  searchField,
}: {
  list: FilterList
  searchField: RefObject<HTMLInputElement | null>
}) {
  const { definition, filters, setFilter } = list
  const [asked, ask] = useState<string>()
  const dialog = asked && {
    filter: asked,
    label: definition.texts.filters[asked]!,
    value: filters[asked],
    choose: (value: string | undefined) => {
      setFilter(asked, value)
      ask(undefined)
    },
    close: () => ask(undefined),
  }
  const kind = asked && definition.filters[asked]!.dialog
  const OwnDialog = typeof kind === 'function' ? kind : undefined
  return (
    <>
      <SearchField
        ref={searchField}
        label={definition.texts.search}
        keys="/"
        value={filters[searchFilter] ?? ''}
        change={(text) => setFilter(searchFilter, text || undefined)}
      />
      <FilterChips list={list} ask={ask} />
      <AddFilter list={list} ask={ask} />
      {dialog && (OwnDialog ? <OwnDialog {...dialog} /> : <FilterDialog {...dialog} definition={definition} />)}
    </>
  )
}

/** Without `ask` the chips can only be removed, and the search text is one of them. */
export function FilterChips({ list, ask }: { list: FilterList; ask?: (filter: string) => void }): ReactNode {
  const { definition, filters, setFilter, me } = list
  const set = definition.search.filterKeys.filter((filter) => filters[filter])
  const choicesOf = useChoices(definition, set)
  return set
    .filter((filter) => filter !== searchFilter || !ask)
    .map((filter) => {
      const value = filters[filter]!
      const choices = choicesOf(filter)
      const text = describeFilter(definition.filters[filter]!, value, { choices, locale: me.locale })
      const content = <FilterValue {...{ filter, value, text, list }} />
      const label = definition.texts.filters[filter]!
      return (
        <FilterChip key={filter} label={label} remove={() => setFilter(filter, undefined)}>
          {choices && ask ? (
            <MenuButton
              variant="plain"
              align="start"
              label={`${listTexts.changeFilter(label)}: ${text}`}
              items={toMenuItems(filter, choices, list)}
            >
              {content}
            </MenuButton>
          ) : definition.filters[filter]!.dialog && ask ? (
            <Button variant="plain" onClick={() => ask(filter)}>
              <span className="visually-hidden">{listTexts.changeFilter(label)}: </span>
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
  filter: string,
  choices: readonly Option[],
  { definition, filters, setFilter }: Pick<FilterList, 'definition' | 'filters' | 'setFilter'>,
): MenuItem[] {
  const { expand, isSingle } = definition.filters[filter]!
  const value = filters[filter]
  const chosen = value && expand ? expand(value) : value
  return choices.map(({ value: one, label }) => {
    const isChosen = chosen?.split(',').includes(one) ?? false
    return {
      kind: 'choice',
      label,
      isChosen,
      staysOpen: !isSingle,
      run: () => setFilter(filter, isSingle ? (isChosen ? undefined : one) : toggleValue(chosen, one)),
    }
  })
}

function AddFilter({ list, ask }: { list: FilterList; ask: (filter: string) => void }) {
  const { definition, filters } = list
  const [filter, setChosen] = useState<string>()
  const choicesOf = useChoices(definition, filter ? [filter] : [])
  const choices = filter && choicesOf(filter)
  const items: MenuItem[] = choices
    ? [{ kind: 'title', label: definition.texts.filters[filter]! }, ...toMenuItems(filter, choices, list)]
    : definition.search.filterKeys
        .filter((key) => key !== searchFilter && !definition.filters[key]!.isHidden && !filters[key])
        .map((key) => {
          const { dialog } = definition.filters[key]!
          return {
            label: definition.texts.filters[key]!,
            staysOpen: !dialog,
            run: () => (dialog ? ask(key) : setChosen(key)),
          }
        })
  return (
    <MenuButton
      variant="quiet"
      size="small"
      align="start"
      label={listTexts.addFilter}
      icon={<Plus size={14} />}
      items={items}
      onClose={() => setChosen(undefined)}
    >
      {listTexts.filter}
    </MenuButton>
  )
}
