export const pageLanguages = ['en', 'de', 'fr', 'es', 'pt'] as const
export type PageLanguage = (typeof pageLanguages)[number]

/** The texts of a page. A language without texts does not compile. */
export type PageTexts<Texts> = Readonly<Record<PageLanguage, Texts>>

const maxHeaderLength = 500

/** Lists the language tags of `Accept-Language`, the preferred one first. */
export const listAcceptedLanguages = (header = ''): string[] =>
  header
    .slice(0, maxHeaderLength)
    .split(',')
    .map((part) => {
      const [tag = '', quality] = part.trim().split(/;\s*q=/)
      return { tag, quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ tag, quality }) => tag !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ tag }) => tag)

export function choosePageLanguage(acceptLanguage: string | undefined): PageLanguage {
  const accepted = listAcceptedLanguages(acceptLanguage).map((tag) => tag.toLowerCase().split('-')[0])
  return accepted.flatMap((tag) => pageLanguages.find((language) => language === tag) ?? [])[0] ?? 'en'
}

/** Returns the language with the region that the browser accepts, such as `en-GB`, because regions write dates differently. */
export function choosePageLocale(acceptLanguage: string | undefined): string {
  const language = choosePageLanguage(acceptLanguage)
  const withRegion = new RegExp(`^${language}-[a-z]{2}$`, 'i')
  return listAcceptedLanguages(acceptLanguage).find((tag) => withRegion.test(tag)) ?? language
}
