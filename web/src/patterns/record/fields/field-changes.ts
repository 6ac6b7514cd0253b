import type { Fields } from '../../../api/merge-fields.ts'
import type { SaveFields } from '../use-save-fields.ts'

const customPrefix = 'custom.'

type RecordWithOwner = { owner: { id: string } | null; custom: Readonly<Record<string, unknown>> }

/** The changes as the API takes them; custom fields have the name `custom.<key>`. */
export function toRequest(changes: Fields): object {
  const [custom, standard] = [true, false].map((isCustom) =>
    Object.entries(changes).filter(([field]) => field.startsWith(customPrefix) === isCustom),
  ) as [[string, unknown][], [string, unknown][]]
  return {
    ...Object.fromEntries(standard),
    ...(custom.length > 0 && {
      custom: Object.fromEntries(custom.map(([field, value]) => [field.slice(customPrefix.length), value])),
    }),
  }
}

export function readField(record: RecordWithOwner, field: string): unknown {
  if (field === 'owner_id') return record.owner?.id ?? null
  if (field.startsWith(customPrefix)) return record.custom[field.slice(customPrefix.length)] ?? null
  return (record as unknown as Fields)[field] ?? null
}

/** The record with the changes that are not saved yet. */
export const withPending = <T extends object>(record: T, { pending }: Pick<SaveFields, 'pending'>): T => ({
  ...record,
  ...Object.fromEntries(Object.entries(pending).filter(([field]) => field in record)),
})
