import { readDraft, writeDraft } from '../../../api/drafts.ts'
import { createStore, useStore } from '../../../api/store.ts'
import { type ComposedText, unsavedText } from './composed-text.ts'

/** Kept outside of React, because a record can be closed and opened again while its text is sent. */
const composedTexts = createStore<Readonly<Record<string, ComposedText>>>({})

const textOf = (all: Readonly<Record<string, ComposedText>>, draftKey: string): ComposedText =>
  all[draftKey] ?? { typed: readDraft(draftKey) }

export function useComposedText(draftKey: string) {
  const text = textOf(useStore(composedTexts), draftKey)
  const change = (next: (before: ComposedText) => ComposedText) => {
    const all = composedTexts.get()
    const after = next(textOf(all, draftKey))
    writeDraft(draftKey, unsavedText(after))
    composedTexts.set({ ...all, [draftKey]: after })
  }
  return { text, change }
}
