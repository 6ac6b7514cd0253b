import { readDraft, writeDraft } from '../../../api/drafts.ts'
import { createStore } from '../../../api/store.ts'
import type { Cadence } from '../cadence-queries.ts'
import { adoptLoaded, isUnsaved, type StepEdits, startEdits } from './step-edits.ts'

/** Kept outside of React by cadence, because the page can be left and opened again while a change waits. */
export const stepEdits = createStore<Readonly<Record<string, StepEdits>>>({})

const draftKey = (id: string): string => `cadence-steps:${id}`

/** Continues with what was typed before the page was left or loaded again. */
export function openEdits(cadence: Cadence): StepEdits {
  const started = stepEdits.get()[cadence.id]
  if (started) return cadence.version > started.stored.version ? adoptLoaded(started, cadence) : started
  const draft = readDraft(draftKey(cadence.id))
  const edits = startEdits(cadence)
  if (!draft) return edits
  const { stored, steps } = JSON.parse(draft) as Pick<StepEdits, 'stored' | 'steps'>
  return adoptLoaded({ ...edits, stored, steps }, cadence)
}

export function storeEdits(id: string, edits: StepEdits): void {
  const all = stepEdits.get()
  if (all[id] === edits) return
  stepEdits.set({ ...all, [id]: edits })
  writeDraft(draftKey(id), isUnsaved(edits) ? JSON.stringify({ stored: edits.stored, steps: edits.steps }) : '')
}

export function forgetEdits(id: string): void {
  const { [id]: _, ...others } = stepEdits.get()
  stepEdits.set(others)
  writeDraft(draftKey(id), '')
}

// Closing the page would lose steps that are not saved, so the browser asks.
globalThis.addEventListener?.('beforeunload', (event) => {
  if (Object.values(stepEdits.get()).some(isUnsaved)) event.preventDefault()
})
