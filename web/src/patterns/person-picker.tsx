import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, read } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import styles from './person-picker.module.css'
import { ProblemState, Skeleton } from './states.tsx'

type Choice = { id: string | null; name: string }

const texts = { search: 'Search people', none: 'No user has this name.' }

/** Asks for a user of the workspace, by name and with the arrow keys. */
export function PersonPicker({
  title,
  first = [],
  choose,
  close,
}: {
  title: string
  /** Choices before the users, such as the current user or no owner. */
  first?: readonly Choice[]
  choose: (person: Choice) => void
  close: () => void
}) {
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const users = useQuery({
    queryKey: queryKeys.users.picker(search),
    queryFn: ({ signal }) =>
      read(
        api.GET('/api/users/', {
          params: { query: { search: search || undefined, status: ['active'], limit: 20 } },
          signal,
        }),
      ),
    placeholderData: (before) => before,
  })
  const found = users.data ?? []
  const choices: readonly Choice[] = [
    ...(search ? [] : first),
    ...found.filter(({ id }) => !first.some((one) => one.id === id)),
  ]
  const pick = (at: number) => {
    const choice = choices[at]
    if (choice) choose(choice)
  }
  return (
    <Dialog title={title} close={close}>
      <TextField
        label={texts.search}
        isLabelHidden
        placeholder={texts.search}
        autoFocus
        role="combobox"
        aria-expanded
        aria-controls="people"
        aria-activedescendant={choices[active] ? `person-${active}` : undefined}
        value={search}
        onChange={(event) => {
          setSearch(event.target.value)
          setActive(0)
        }}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') setActive(Math.min(active + 1, choices.length - 1))
          else if (event.key === 'ArrowUp') setActive(Math.max(active - 1, 0))
          else if (event.key === 'Enter') pick(active)
          else return
          event.preventDefault()
        }}
      />
      {users.isPending && <Skeleton rows={4} />}
      {users.error && <ProblemState error={users.error} part="People" retry={() => void users.refetch()} />}
      {users.data && choices.length === 0 && <p>{texts.none}</p>}
      <div role="listbox" id="people" aria-label={title} className={styles.list}>
        {choices.map(({ id, name }, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={id ?? 'none'}
            role="option"
            id={`person-${at}`}
            aria-selected={at === active}
            className={styles.person}
            onClick={() => pick(at)}
          >
            <Avatar name={name} />
            {name}
          </div>
        ))}
      </div>
    </Dialog>
  )
}
