import { api, read } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { listTexts } from '../texts/en/list-texts.ts'
import type { Choice } from './combobox/use-combobox.ts'
import { type PickerProps, RecordPicker } from './record-picker.tsx'

const texts = { search: listTexts.searchPeople, part: listTexts.people, none: listTexts.noPerson }

/** Asks for a user of the workspace. */
export const PersonPicker = (props: PickerProps) => (
  <RecordPicker {...props} texts={texts} queryKey={queryKeys.users.picker} find={findUsers} />
)

export async function findUsers(text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: text || undefined, status: ['active' as const], limit: 20 }
  const users = await read(api.GET('/api/users/', { params: { query }, signal }))
  return users.map(({ id, name, email }) => ({ id, name, detail: email }))
}
