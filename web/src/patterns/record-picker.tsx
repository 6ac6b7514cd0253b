import type { QueryKey } from '@tanstack/react-query'
import { Avatar } from '../ui/avatar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { ComboboxList } from './combobox/combobox-list.tsx'
import { type Choice, useCombobox } from './combobox/use-combobox.ts'
import { ProblemState, Skeleton } from './states.tsx'

export type PickerProps = {
  title: string
  /** Choices before the found ones, such as the current user or no owner. */
  first?: readonly Choice[]
  choose: (choice: Choice) => void
  close: () => void
}

type RecordPickerProps = PickerProps & {
  texts: { search: string; part: string; none: string }
  queryKey: (text: string) => QueryKey
  /** Whether the records are persons or companies, which have an avatar. */
  hasAvatars?: boolean
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice[]>
}

/** Asks for a record, by name and with the arrow keys. */
export function RecordPicker({
  title,
  first,
  choose,
  close,
  texts,
  queryKey,
  find,
  hasAvatars = true,
}: RecordPickerProps) {
  const { field, list, query, isEmpty } = useCombobox({ staysOpen: true, queryKey, find, first, pick: choose })
  return (
    <Dialog title={title} close={close}>
      <TextField label={texts.search} isLabelHidden placeholder={texts.search} autoFocus {...field} />
      {query.isPending && <Skeleton rows={4} />}
      {query.error && <ProblemState error={query.error} part={texts.part} retry={() => void query.refetch()} />}
      {isEmpty && <p role="status">{texts.none}</p>}
      <ComboboxList
        list={list}
        label={title}
        render={({ name }) => (
          <>
            {hasAvatars && <Avatar name={name} />}
            {name}
          </>
        )}
      />
    </Dialog>
  )
}
