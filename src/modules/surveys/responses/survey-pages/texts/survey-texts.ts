import { type PageLanguage, type PageTexts, pageLanguages } from '#platform/html'
import { chooseLanguage } from '../../../design/translations/texts.rules.ts'
import { englishTexts, type SurveyTexts } from './english-texts.ts'
import { frenchTexts } from './french-texts.ts'
import { germanTexts } from './german-texts.ts'
import { portugueseTexts } from './portuguese-texts.ts'
import { spanishTexts } from './spanish-texts.ts'

const texts: PageTexts<SurveyTexts> = {
  en: englishTexts,
  de: germanTexts,
  fr: frenchTexts,
  es: spanishTexts,
  pt: portugueseTexts,
}

const primaryTagOf = (language: string) => language.toLowerCase().split('-')[0]!

export const textsIn = (language: string): SurveyTexts => texts[primaryTagOf(language) as PageLanguage] ?? englishTexts

export const chooseResultLanguage = (lang: string | undefined, acceptLanguage: string | undefined): string =>
  chooseLanguage({ default_language: 'en', languages: pageLanguages }, { requested: [lang], acceptLanguage })

/** The value of `lang` for texts of the page; undefined if they are in the language of the survey. */
export const ownLanguageOf = (texts: SurveyTexts, language: string): string | undefined =>
  texts.language === primaryTagOf(language) ? undefined : texts.language

export function formatBound(bound: number | string, { language }: SurveyTexts): string {
  if (typeof bound === 'number') return bound.toLocaleString(language)
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(bound))
}
