export const cardId = (key: string): string => `step-${key}`

/** Moves the focus at once, so that the next key is not typed into a field. */
export const focusShownCard = (key: string): void => document.getElementById(cardId(key))?.focus()

/** Moves the focus to the card of a step, once it is shown. */
export function focusCard(key: string): void {
  requestAnimationFrame(() => focusShownCard(key))
}

/** The key of the step whose card has the focus. */
export const focusedCard = (): string | undefined => {
  const id = document.activeElement?.id ?? ''
  return id.startsWith(cardId('')) ? id.slice(cardId('').length) : undefined
}
