/** Languages that have texts. The first is the one of the texts in the code. */
export const languages = ['en', 'de'] as const

export type Language = (typeof languages)[number]

/** Longer than every language, for tests of the layout. Only the storage of the browser chooses it. */
export const testLanguage = 'long'

type Translation = (name: string, english: object) => object

let current: Language = 'en'
let translation: Translation | undefined

/** The language of the texts, for names that the browser knows, such as those of countries. */
export const textLanguage = (): Language => current

/** Before any text is imported, because texts are read once. */
export function setTranslation(language: Language, translate: Translation): void {
  current = language
  translation = translate
}

/** The texts of a module in the language of the page. English is returned as it is. */
export const translate = <Texts extends object>(name: string, english: Texts): Texts =>
  translation ? (translation(name, english) as Texts) : english

/** The language of the texts for a locale, such as `de` for `de-AT`. */
export const languageOf = (locale: string): Language =>
  languages.find((language) => language === locale.split('-')[0]) ?? 'en'
