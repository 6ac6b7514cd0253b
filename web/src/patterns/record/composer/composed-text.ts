/** The text of a composer. What is sent has left the field, so that the user can type the next text. */
export type ComposedText = { typed: string; sent?: string }

export const enterText = ({ sent }: ComposedText, typed: string): ComposedText => ({ typed, sent })

export const startSendingText = ({ typed }: ComposedText): ComposedText => ({ typed: '', sent: typed })

export const finishSendingText = ({ typed }: ComposedText): ComposedText => ({ typed })

export const returnText = (before: ComposedText): ComposedText => ({ typed: unsavedText(before) })

export function unsavedText({ typed, sent = '' }: ComposedText): string {
  if (sent.trim() === '') return typed
  return typed.trim() === '' ? sent : `${sent}\n${typed}`
}
