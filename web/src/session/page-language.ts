import { languageOf, testLanguage } from '../texts/language.ts'

const key = 'language'

/** The language in which this browser showed the application last. */
export const storedLanguage = (): string | null => localStorage.getItem(key)

/** Keeps the language of the profile for the next start. Returns whether the page was started in another one. */
export function followProfile(locale: string): boolean {
  const stored = storedLanguage()
  if (stored === testLanguage) return false
  const wanted = languageOf(locale)
  localStorage.setItem(key, wanted)
  return stored !== null && stored !== wanted
}
