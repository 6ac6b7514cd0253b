import { withCurrent } from '../../patterns/choices/with-current.ts'
import { textLanguage } from '../../texts/language.ts'
import type { Option } from '../../ui/field.tsx'

const locales = [
  'en',
  'en-US',
  'en-GB',
  'de',
  'de-AT',
  'de-CH',
  'fr',
  'fr-CH',
  'es',
  'it',
  'nl',
  'pl',
  'pt',
  'pt-BR',
  'sv',
  'da',
  'nb',
  'fi',
  'cs',
  'ja',
]

/** Locales with their name in their own language and in the one of the texts. */
export function listLocales(current: string): readonly Option[] {
  const names = new Intl.DisplayNames(textLanguage(), { type: 'language' })
  const describe = (locale: string) => {
    const own = new Intl.DisplayNames(locale, { type: 'language' }).of(locale)
    const name = names.of(locale)
    return own && own.toLowerCase() !== name?.toLowerCase() ? `${own} (${name})` : `${name}`
  }
  return withCurrent(
    locales.map((locale) => ({ value: locale, label: describe(locale) })),
    current,
    describe(current),
  )
}

export function listCurrencies(current: string): readonly Option[] {
  const names = new Intl.DisplayNames(textLanguage(), { type: 'currency' })
  const codes = Intl.supportedValuesOf('currency')
  return withCurrent(
    codes.map((code) => ({ value: code, label: `${code} – ${names.of(code)}` })),
    current,
  )
}

export function listMonths(): readonly Option[] {
  const format = new Intl.DateTimeFormat(textLanguage(), { month: 'long', timeZone: 'UTC' })
  return Array.from({ length: 12 }, (_, month) => ({
    value: String(month + 1),
    label: format.format(new Date(Date.UTC(2024, month, 1))),
  }))
}
