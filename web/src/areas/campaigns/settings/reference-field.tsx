import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'
import styles from './settings.module.css'

type ReferenceFieldProps = {
  label: string
  name: string
  hint?: string
  initial: Choice | undefined
  queryKey: (text: string) => QueryKey
  find: (text: string, signal: AbortSignal) => Promise<Choice[]>
  /** Receives the name of the chosen record, for messages about its id. */
  note: Map<string, string>
  error: string | undefined
}

/** A field of a form whose value is the id of a record. An empty text removes it. */
export function ReferenceField({ label, name, hint, initial, queryKey, find, note, error }: ReferenceFieldProps) {
  const [chosen, setChosen] = useState(initial)
  const choose = (choice: Choice | undefined) => {
    if (choice?.id) note.set(choice.id, choice.name)
    setChosen(choice)
  }
  return (
    <div className={styles.reference}>
      <RecordSearch {...{ label, queryKey, find, chosen, choose, error }} />
      <input type="hidden" name={name} value={chosen?.id ?? ''} />
      {hint && <p className={styles.text}>{hint}</p>}
    </div>
  )
}
