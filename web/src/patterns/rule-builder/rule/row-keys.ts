import type { Step } from './edit-tree.ts'

export type RowAction =
  | { kind: 'move'; step: Step }
  | { kind: 'focus'; step: Step }
  | { kind: 'add' }
  | { kind: 'addGroup' }
  | { kind: 'remove' }

type Pressed = Pick<KeyboardEvent, 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

export type KeyPlace = 'handle' | 'field' | 'control'

const steps: Readonly<Record<string, Step>> = { ArrowUp: 'up', ArrowDown: 'down' }

/** A field keeps the keys that edit its value, a button those that press it. */
export function actionOfKey(pressed: Pressed, place: KeyPlace): RowAction | undefined {
  const { key, altKey, ctrlKey, metaKey, shiftKey } = pressed
  if (ctrlKey || metaKey) return undefined
  const step = steps[key]
  if (step && altKey) return { kind: 'move', step }
  if (altKey) return undefined
  if (step && place !== 'field') return { kind: 'focus', step }
  if (key === 'Delete' && place !== 'field') return { kind: 'remove' }
  if (key !== 'Enter' || (place === 'control' && !shiftKey)) return undefined
  return { kind: shiftKey ? 'addGroup' : 'add' }
}
