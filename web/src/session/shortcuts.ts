import { createStore } from '../api/store.ts'

export const areShortcutsShown = createStore(false)

export const showShortcuts = (): void => areShortcutsShown.set(true)
export const hideShortcuts = (): void => areShortcutsShown.set(false)
