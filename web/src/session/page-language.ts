import { languageOf, testLanguage } from '../texts/language.ts'

/** The language in which this browser showed the application last, which `boot.ts` reads. */
const key = 'language'

/** Keeps the language of the profile for the next start. Returns whether the page was started in another one. */
export function followProfile(locale: string): boolean {
  const stored = localStorage.getItem(key)
  if (stored === testLanguage) return false
  const wanted = languageOf(locale)
  localStorage.setItem(key, wanted)
  return stored !== null && stored !== wanted
}
