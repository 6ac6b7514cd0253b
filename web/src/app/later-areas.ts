import { laterAreaTexts } from '../texts/en/later-area-texts.ts'

/** Areas that notifications and the search link to, but that have no screen yet, by the first part of their path. */
export const laterAreas: ReadonlyMap<string, string> = new Map(Object.entries(laterAreaTexts.areas))
