import type { Option } from '../../../ui/field.tsx'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
const otherRegions = ['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ']

/** A withdrawn code, such as DD, has another one today. */
const isCountry = (code: string): boolean =>
  !otherRegions.includes(code) && new Intl.Locale(`und-${code}`).region === code

const codes = letters.flatMap((first) => letters.map((second) => first + second)).filter(isCountry)

/** The countries by name, and the stored one if it is none of them. */
export function listCountries(locale: string, stored?: unknown): readonly Option[] {
  const names = new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })
  const countries: Option[] = codes.flatMap((value) => {
    const label = names.of(value)
    return label ? [{ value, label }] : []
  })
  const isMissing = typeof stored === 'string' && !countries.some(({ value }) => value === stored)
  if (isMissing) countries.push({ value: stored, label: stored })
  return countries.sort((one, other) => one.label.localeCompare(other.label, locale))
}
