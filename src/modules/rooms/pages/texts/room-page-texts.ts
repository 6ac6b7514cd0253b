import type { PageTexts } from '#platform/html'
import { englishTexts, type RoomPageTexts } from './english-texts.ts'
import { frenchTexts } from './french-texts.ts'
import { germanTexts } from './german-texts.ts'
import { portugueseTexts } from './portuguese-texts.ts'
import { spanishTexts } from './spanish-texts.ts'

export type { RoomPageTexts } from './english-texts.ts'

export const roomPageTexts: PageTexts<RoomPageTexts> = {
  en: englishTexts,
  de: germanTexts,
  fr: frenchTexts,
  es: spanishTexts,
  pt: portugueseTexts,
}
