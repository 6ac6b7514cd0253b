import type { QueryKey } from '@tanstack/react-query'
import { useState } from 'react'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'

type ChoiceFieldProps = {
  label: string
  name: string
  initial: { id: string; name: string } | null
  queryKey: (text: string) => QueryKey
  find: (text: string, signal: AbortSignal) => Promise<Choice[]>
  hint?: string
  error?: string
}

/** A record that is searched by name, as a part of a form. An empty field is no record. */
export function ChoiceField({ label, name, initial, queryKey, find, hint, error }: ChoiceFieldProps) {
  const [chosen, setChosen] = useState<Choice | undefined>(initial ?? undefined)
  return (
    <div>
      <RecordSearch label={label} {...{ queryKey, find, chosen, hint, error }} choose={setChosen} />
      <input type="hidden" name={name} value={chosen?.id ?? ''} />
    </div>
  )
}
