import { type Language, setTranslation, testLanguage } from './language.ts'

type Texts = typeof import('./en/index.ts')

/** One entry for each language except English. An error of the type check here names what a language lacks. */
const translations: Record<Exclude<Language, 'en'>, () => Promise<Texts>> = {
  de: () => import('./de/index.ts'),
}

/** Loads the texts of a language before the files that read them. */
export async function loadTexts(language: string): Promise<void> {
  if (language === testLanguage) {
    const { lengthenTexts } = await import('./lengthen-texts.ts')
    setTranslation('en', (_name, english) => lengthenTexts(english))
  } else if (language in translations) {
    const known = language as keyof typeof translations
    const texts: Texts = await translations[known]()
    setTranslation(known, (name, english) => texts[name as keyof Texts] ?? english)
    document.documentElement.lang = known
  }
}
