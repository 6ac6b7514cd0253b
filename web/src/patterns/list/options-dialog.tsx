import { listDialogTexts } from '../../texts/en/list-dialog-texts.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { type Option, SelectField } from '../../ui/field.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { useChoices } from './filter-values.tsx'
import styles from './list.module.css'
import type { List } from './use-list.ts'

const any: Option = { value: '', label: listDialogTexts.anyValue }
const me: Option = { value: 'me', label: listTexts.me }
const noOwner: Option = { value: 'none', label: listTexts.noOwner }

export function OptionsDialog({ list, saveView, close }: { list: List; saveView: () => void; close: () => void }) {
  const { definition, filters, setFilter, sort, setSort } = list
  const { texts, search } = definition
  const choicesOf = useChoices(definition, search.filterKeys)
  const optionsOf = (filter: string): readonly Option[] | undefined => {
    const { dialog, moreOptions = [], excludesNone } = definition.filters[filter]!
    const choices = dialog === 'owner' ? (excludesNone ? [me] : [me, noOwner]) : choicesOf(filter)
    return choices && [any, ...moreOptions, ...choices]
  }
  const offered = search.filterKeys.flatMap((filter) => {
    const options = optionsOf(filter)
    return options ? [{ filter, options }] : []
  })
  return (
    <Dialog
      title={listTexts.options}
      close={close}
      footer={
        <>
          <Button onClick={saveView}>{listTexts.saveView}</Button>
          <Button variant="primary" onClick={close}>
            {listDialogTexts.apply}
          </Button>
        </>
      }
    >
      <div className={styles.options}>
        <SearchField
          label={texts.search}
          value={filters.q ?? ''}
          change={(text) => setFilter('q', text || undefined)}
        />
        {offered.map(({ filter, options }) => {
          const value = filters[filter] ?? ''
          const isKnown = options.some((option) => option.value === value)
          return (
            <SelectField
              key={filter}
              label={texts.filters[filter]!}
              options={isKnown ? options : [...options, { value, label: value.replaceAll(',', ', ') }]}
              value={value}
              onChange={(event) => setFilter(filter, event.target.value || undefined)}
            />
          )
        })}
        <SelectField
          label={listTexts.orderTitle}
          options={Object.entries(texts.sorts).map(([value, label]) => ({ value, label }))}
          value={sort}
          onChange={(event) => setSort(event.target.value)}
        />
      </div>
    </Dialog>
  )
}
