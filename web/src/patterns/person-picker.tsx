import { api, read } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { listTexts } from '../texts/en/list-texts.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { ComboboxList } from './combobox/combobox-list.tsx'
import { type Choice, useCombobox } from './combobox/use-combobox.ts'
import { ProblemState, Skeleton } from './states.tsx'

/** Asks for a user of the workspace, by name and with the arrow keys. */
export function PersonPicker({
  title,
  first,
  choose,
  close,
}: {
  title: string
  /** Choices before the users, such as the current user or no owner. */
  first?: readonly Choice[]
  choose: (person: Choice) => void
  close: () => void
}) {
  const { field, list, query, isEmpty } = useCombobox({
    staysOpen: true,
    queryKey: queryKeys.users.picker,
    find: findUsers,
    first,
    pick: choose,
  })
  return (
    <Dialog title={title} close={close}>
      <TextField
        label={listTexts.searchPeople}
        isLabelHidden
        placeholder={listTexts.searchPeople}
        autoFocus
        {...field}
      />
      {query.isPending && <Skeleton rows={4} />}
      {query.error && <ProblemState error={query.error} part={listTexts.people} retry={() => void query.refetch()} />}
      {isEmpty && <p role="status">{listTexts.noPerson}</p>}
      <ComboboxList
        list={list}
        label={title}
        render={({ name }) => (
          <>
            <Avatar name={name} />
            {name}
          </>
        )}
      />
    </Dialog>
  )
}

export async function findUsers(text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: text || undefined, status: ['active' as const], limit: 20 }
  const users = await read(api.GET('/api/users/', { params: { query }, signal }))
  return users.map(({ id, name, email }) => ({ id, name, detail: email }))
}
