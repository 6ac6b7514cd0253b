import { createStore } from '../api/store.ts'

/** Choices of the user for this browser. They contain no data of the workspace. */
export type Preferences = {
  theme: 'system' | 'light' | 'dark'
  density: 'compact' | 'normal' | 'comfortable'
  hasShortcuts: boolean
  /** Whether the navigation shows icons only. */
  isRail: boolean
}

const readChoice = <T extends string>(key: string, choices: readonly T[], standard: T): T =>
  choices.find((choice) => choice === localStorage.getItem(key)) ?? standard

export const preferences = createStore<Preferences>({
  theme: readChoice('theme', ['system', 'light', 'dark'], 'system'),
  density: readChoice('density', ['compact', 'normal', 'comfortable'], 'normal'),
  hasShortcuts: localStorage.getItem('shortcuts') !== 'off',
  isRail: localStorage.getItem('navigation') === 'rail',
})

const darkSystem = matchMedia('(prefers-color-scheme: dark)')

const readDark = (): boolean => {
  const { theme } = preferences.get()
  return theme === 'dark' || (theme === 'system' && darkSystem.matches)
}

export const isDark = createStore(readDark())

export function changePreferences(changes: Partial<Preferences>): void {
  const next = { ...preferences.get(), ...changes }
  localStorage.setItem('theme', next.theme)
  localStorage.setItem('density', next.density)
  localStorage.setItem('shortcuts', next.hasShortcuts ? 'on' : 'off')
  localStorage.setItem('navigation', next.isRail ? 'rail' : 'full')
  preferences.set(next)
  applyPreferences()
}

export function applyPreferences(): void {
  const { dataset } = document.documentElement
  isDark.set(readDark())
  dataset.theme = isDark.get() ? 'dark' : 'light'
  dataset.density = preferences.get().density
}

darkSystem.addEventListener('change', applyPreferences)
