import { useState } from 'react'
import { readDraft, writeDraft } from '../../api/drafts.ts'

/** A text that is kept when its dialog is closed, until it was sent. */
export function useTypedText(key: string) {
  const [text, setText] = useState(() => readDraft(key))
  const change = (next: string) => {
    setText(next)
    writeDraft(key, next)
  }
  return { text, change, clear: () => writeDraft(key, '') }
}
