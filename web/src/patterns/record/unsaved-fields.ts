import { createStore } from '../../api/store.ts'
import { type FieldIntents, fieldsIn } from './field-intents.ts'

const nothing: FieldIntents = {}

/** Kept outside of React by record, because a record can be closed and opened again while a change waits. */
export const unsavedFields = createStore<Readonly<Record<string, FieldIntents>>>({})

export const unsavedOf = (all: Readonly<Record<string, FieldIntents>>, id: string): FieldIntents => all[id] ?? nothing

export function changeUnsaved(id: string, change: (before: FieldIntents) => FieldIntents): void {
  const all = unsavedFields.get()
  unsavedFields.set({ ...all, [id]: change(unsavedOf(all, id)) })
}

// Closing the page would lose changes that are not saved, so the browser asks.
globalThis.addEventListener?.('beforeunload', (event) => {
  const isUnsaved = (intents: FieldIntents) => fieldsIn(intents, 'waiting', 'failed', 'conflict').length > 0
  if (Object.values(unsavedFields.get()).some(isUnsaved)) event.preventDefault()
})
