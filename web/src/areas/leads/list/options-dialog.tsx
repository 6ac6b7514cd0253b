import { useQuery } from '@tanstack/react-query'
import { leadListTexts } from '../../../texts/en/lead-list-texts.ts'
import { leadTexts } from '../../../texts/en/lead-texts.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { type Option, SelectField } from '../../../ui/field.tsx'
import { SearchField } from '../../../ui/search-field.tsx'
import { sourcesQuery } from '../lead-queries.ts'
import type { FilterKey, LeadSort } from '../lead-search.ts'
import { choicesOf } from './filter-values.tsx'
import styles from './list.module.css'
import { offeredSorts } from './list-sorts.ts'
import type { LeadList } from './use-lead-list.ts'

const any: Option = { value: '', label: leadListTexts.anyValue }
const owners: readonly Option[] = [
  any,
  { value: 'me', label: leadTexts.me },
  { value: 'none', label: leadTexts.noOwner },
]
const sorts = offeredSorts.map((value) => ({ value, label: leadTexts.sorts[value] }))

/** Search, filters and order on a phone, where the bar has no room for them. */
export function OptionsDialog({ list, saveView, close }: { list: LeadList; saveView: () => void; close: () => void }) {
  const { filters, setFilter, sort, setSort } = list
  const sources = useQuery(sourcesQuery).data
  const choose = (filter: FilterKey, options: readonly Option[]) => {
    const value = filters[filter] ?? ''
    const isKnown = options.some((option) => option.value === value)
    return (
      <SelectField
        key={filter}
        label={leadTexts.filters[filter]}
        options={isKnown ? options : [...options, { value, label: value.replaceAll(',', ', ') }]}
        value={value}
        onChange={(event) => setFilter(filter, event.target.value || undefined)}
      />
    )
  }
  const open = { value: 'open', label: leadTexts.isOpen }
  return (
    <Dialog
      title={leadTexts.options}
      close={close}
      footer={
        <>
          <Button onClick={saveView}>{leadTexts.saveView}</Button>
          <Button variant="primary" onClick={close}>
            {leadListTexts.apply}
          </Button>
        </>
      }
    >
      <div className={styles.options}>
        <SearchField
          label={leadTexts.search}
          value={filters.q ?? ''}
          change={(text) => setFilter('q', text || undefined)}
        />
        {choose('owner', owners)}
        {choose('status', [any, open, ...(choicesOf('status') ?? [])])}
        {choose('grade', [any, ...(choicesOf('grade') ?? [])])}
        {choose('source', [any, ...(choicesOf('source', sources) ?? [])])}
        <SelectField
          label={leadTexts.orderTitle}
          options={sorts}
          value={sort}
          onChange={(event) => setSort(event.target.value as LeadSort)}
        />
      </div>
    </Dialog>
  )
}
