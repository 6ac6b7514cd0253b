import { areaKeys } from '../../../api/area-keys.ts'
import { api, read } from '../../../api/client.ts'
import type { Choice } from '../../../patterns/combobox/use-combobox.ts'
import { RecordSearch } from '../../../patterns/record/record-search.tsx'

type FieldProps = {
  label: string
  chosen: Choice | undefined
  choose: (choice: Choice | undefined) => void
  /** A cadence that is not offered. */
  without?: string
}

/** Searches a cadence by name. */
export const CadenceField = ({ label, chosen, choose, without }: FieldProps) => (
  <RecordSearch
    label={label}
    queryKey={areaKeys.cadences.search}
    find={async (text, signal) => (await findCadences(text, signal)).filter(({ id }) => id !== without)}
    chosen={chosen}
    choose={choose}
  />
)

async function findCadences(text: string, signal: AbortSignal): Promise<Choice[]> {
  const query = { search: text || undefined, limit: 20, count: 'none' as const }
  const { items } = await read(api.GET('/api/cadences/', { params: { query }, signal }))
  return items.map(({ id, name, owner }) => ({ id, name, detail: owner?.name }))
}
