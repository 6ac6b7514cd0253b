import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { dealTexts } from '../../../texts/en/deal-texts.ts'
import { TextField } from '../../../ui/field.tsx'
import styles from './record-search.module.css'

/** A record that was found, or the name of one that is to be created. */
export type RecordChoice = { id: string | null; name: string; detail?: string | null }

type SearchProps = {
  label: string
  queryKey: string
  find: (text: string, signal: AbortSignal) => Promise<RecordChoice[]>
  chosen: RecordChoice | undefined
  choose: (choice: RecordChoice | undefined) => void
  createText?: (name: string) => string
  error?: string
  autoFocus?: boolean
}

const waitMs = 150

/** A field that searches records by name while the user types. */
export function RecordSearch(props: SearchProps) {
  const { label, queryKey, find, chosen, choose, createText, error, autoFocus } = props
  const id = useId()
  const [text, setText] = useState(chosen?.name ?? '')
  const [isOpen, setOpen] = useState(false)
  const [active, setActive] = useState(0)
  const search = useSettled(text.trim())
  const {
    data: found = [],
    isFetching,
    isPlaceholderData,
  } = useQuery({
    queryKey: queryKeys.records(queryKey, search),
    queryFn: ({ signal }) => find(search, signal),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const isNew = createText && search !== '' && !found.some(({ name }) => name.toLowerCase() === search.toLowerCase())
  const choices: RecordChoice[] = [...found, ...(isNew && !isFetching ? [{ id: null, name: search }] : [])]
  // Enter must not choose from the results of an earlier text.
  const isCurrent = search === text.trim() && !isPlaceholderData
  const isShown = isOpen && (choices.length > 0 || (search !== '' && !isFetching))
  const pick = (choice: RecordChoice | undefined) => {
    if (!choice) return
    choose(choice)
    setText(choice.name)
    setOpen(false)
  }
  return (
    <div className={styles.search}>
      <TextField
        label={label}
        error={error}
        autoFocus={autoFocus}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && choices[active] ? `${id}-${active}` : undefined}
        value={text}
        onChange={(event) => {
          setText(event.target.value)
          setOpen(true)
          setActive(0)
          if (chosen) choose(undefined)
        }}
        onBlur={() => setOpen(false)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown' && !isOpen) setOpen(true)
          else if (event.key === 'ArrowDown') setActive(Math.min(active + 1, choices.length - 1))
          else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
          else if (event.key === 'Enter' && isShown) pick(isCurrent ? choices[active] : undefined)
          else if (event.key === 'Escape' && isShown) setOpen(false)
          else return
          event.preventDefault()
        }}
      />
      {isShown && choices.length === 0 && <p className={styles.none}>{dealTexts.noneFound}</p>}
      <div role="listbox" id={`${id}-list`} aria-label={label} className={styles.list} hidden={!isShown}>
        {choices.map((choice, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
          <div
            key={choice.id ?? 'new'}
            role="option"
            id={`${id}-${at}`}
            aria-selected={at === active}
            className={styles.option}
            onPointerDown={(event) => {
              event.preventDefault()
              pick(choice)
            }}
          >
            {choice.id === null && <Plus size={14} aria-hidden="true" />}
            <span className={styles.name}>{choice.id === null ? createText!(choice.name) : choice.name}</span>
            {choice.detail && <small className={styles.detail}>{choice.detail}</small>}
          </div>
        ))}
      </div>
    </div>
  )
}

/** The text after the user has paused, which saves requests. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), waitMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
