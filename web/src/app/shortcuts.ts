import { createStore } from '../api/store.ts'

/** Whether the list of keyboard shortcuts is open. */
export const areShortcutsShown = createStore(false)

export const showShortcuts = (): void => areShortcutsShown.set(true)
export const hideShortcuts = (): void => areShortcutsShown.set(false)
