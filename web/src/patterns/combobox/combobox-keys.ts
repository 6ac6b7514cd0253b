type ComboboxState = {
  isOpen: boolean
  active: number
  /** The first choices, which belong to the typed text. The others were found for an earlier text. */
  certain: number
  isSettled: boolean
}

export type ComboboxAction =
  | { kind: 'open' }
  | { kind: 'close' }
  | { kind: 'move'; to: number }
  | { kind: 'pick'; at: number }
  | { kind: 'wait' }
  | { kind: 'none' }

/** Returns nothing for a key that belongs to the text, the form or the dialog. */
export function actionOfKey(
  key: string,
  { isOpen, active, certain, isSettled }: ComboboxState,
): ComboboxAction | undefined {
  const isArrow = key === 'ArrowDown' || key === 'ArrowUp'
  if (!isOpen) return isArrow ? { kind: 'open' } : undefined
  if (key === 'Escape') return { kind: 'close' }
  if (isArrow) {
    const to = Math.max(0, Math.min(certain - 1, active + (key === 'ArrowDown' ? 1 : -1)))
    return to === active ? { kind: 'none' } : { kind: 'move', to }
  }
  if (key !== 'Enter') return undefined
  if (active < certain) return { kind: 'pick', at: active }
  return { kind: isSettled ? 'none' : 'wait' }
}
