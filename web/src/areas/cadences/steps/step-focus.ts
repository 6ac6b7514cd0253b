export const cardId = (key: string): string => `step-${key}`

/** Moves the focus to the card of a step, once it is shown. */
export function focusCard(key: string): void {
  requestAnimationFrame(() => document.getElementById(cardId(key))?.focus())
}

/** The key of the step whose card has the focus. */
export const focusedCard = (): string | undefined => {
  const id = document.activeElement?.id ?? ''
  return id.startsWith(cardId('')) ? id.slice(cardId('').length) : undefined
}
