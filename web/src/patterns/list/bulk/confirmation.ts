/** More records are changed by a task. */
export const maxInline = 200

type Amount = { kind: 'ids' | 'matching'; count: number }

/** Whether the user must confirm the action, because it changes many records or follows from a single key. */
export const needsConfirmation = ({ kind, count }: Amount, isByKey: boolean): boolean =>
  isLarge({ kind, count }) || (isByKey && count > 1)

export const isLarge = ({ kind, count }: Amount): boolean => kind === 'matching' || count > maxInline

/** Whether the typed text is the number, with or without separators. */
export const isTypedNumber = (text: string, count: number): boolean => text.replaceAll(/[\s.,'’]/g, '') === `${count}`
