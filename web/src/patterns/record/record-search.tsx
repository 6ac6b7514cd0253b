import type { QueryKey } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { recordTexts } from '../../texts/en/record-texts.ts'
import { TextField } from '../../ui/field.tsx'
import { ComboboxList } from '../combobox/combobox-list.tsx'
import { type Choice, useCombobox } from '../combobox/use-combobox.ts'
import styles from './record-search.module.css'

type SearchProps = {
  label: string
  queryKey: (text: string) => QueryKey
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>
  chosen: Choice | undefined
  choose: (choice: Choice | undefined) => void
  createText?: (name: string) => string
  error?: string
  hint?: string
  autoFocus?: boolean
}

/** A field that searches records by name while the user types. */
export function RecordSearch(props: SearchProps) {
  const { label, queryKey, find, chosen, choose, createText, error, hint, autoFocus } = props
  const { field, list, isOpen, isEmpty } = useCombobox({
    initialText: chosen?.name,
    queryKey,
    find,
    createLast: (name, found) =>
      createText && !found.some((record) => record.name.toLowerCase() === name.toLowerCase())
        ? { id: null, name }
        : undefined,
    pick: choose,
  })
  return (
    <div className={styles.search}>
      <TextField
        label={label}
        error={error}
        hint={hint}
        autoFocus={autoFocus}
        {...field}
        onChange={(event) => {
          field.onChange(event)
          if (chosen) choose(undefined)
        }}
      />
      {isOpen && isEmpty && (
        <p className={styles.none} role="status">
          {recordTexts.noneFound}
        </p>
      )}
      <ComboboxList
        list={list}
        label={label}
        className={styles.list}
        isHidden={!isOpen || list.choices.length === 0}
        render={(choice) => (
          <>
            {choice.id === null && <Plus size={14} aria-hidden="true" />}
            <span className={styles.name}>{choice.id === null ? createText!(choice.name) : choice.name}</span>
            {choice.detail && <small className={styles.detail}>{choice.detail}</small>}
          </>
        )}
      />
    </div>
  )
}
