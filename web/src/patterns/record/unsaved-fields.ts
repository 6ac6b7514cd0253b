import type { FieldConflict, Fields } from '../../api/merge-fields.ts'
import { createStore } from '../../api/store.ts'

/** Keeps what the user changed in a record and the server does not have yet. */
export type UnsavedFields = {
  /** New values that are being sent, wait for the network, or could not be sent. */
  pending: Fields
  conflicts: readonly FieldConflict[]
  errors: Readonly<Record<string, string>>
  /** Fields whose request failed, but may succeed if it is repeated, with the values that the user saw before. */
  failed: Fields
}

const nothing: UnsavedFields = { pending: {}, conflicts: [], errors: {}, failed: {} }

/** Kept outside of React by record, because a record can be closed and opened again while a change waits. */
export const unsavedFields = createStore<Readonly<Record<string, UnsavedFields>>>({})

export const unsavedOf = (all: Readonly<Record<string, UnsavedFields>>, id: string): UnsavedFields => all[id] ?? nothing

export function changeUnsaved(id: string, change: (before: UnsavedFields) => Partial<UnsavedFields>): void {
  const all = unsavedFields.get()
  const before = unsavedOf(all, id)
  unsavedFields.set({ ...all, [id]: { ...before, ...change(before) } })
}

export const without = <T>(values: Readonly<Record<string, T>>, fields: readonly string[]): Record<string, T> =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !fields.includes(field)))

// Closing the page would lose changes that wait for the network, so the browser asks.
globalThis.addEventListener?.('beforeunload', (event) => {
  const hasPending = Object.values(unsavedFields.get()).some(({ pending }) => Object.keys(pending).length > 0)
  if (hasPending) event.preventDefault()
})
