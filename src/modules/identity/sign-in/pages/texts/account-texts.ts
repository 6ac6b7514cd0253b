import type { PageTexts } from '#platform/html'
import { type AccountTexts, englishTexts } from './english-texts.ts'
import { frenchTexts } from './french-texts.ts'
import { germanTexts } from './german-texts.ts'
import { portugueseTexts } from './portuguese-texts.ts'
import { spanishTexts } from './spanish-texts.ts'

export type { AccountTexts } from './english-texts.ts'

export const accountTexts: PageTexts<AccountTexts> = {
  en: englishTexts,
  de: germanTexts,
  fr: frenchTexts,
  es: spanishTexts,
  pt: portugueseTexts,
}
