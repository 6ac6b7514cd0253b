/**
 * Converts an amount as people write it in their language, such as `54,000.50`, into the notation of the API.
 * Undefined if it is not a number, because a misread separator would change the amount a hundredfold.
 */
export function parseAmount(text: string, locale: string): string | undefined {
  const { group, decimal } = separatorsOf(locale)
  const bare = text.trim().replace(/[\s'’]/g, '')
  const [whole = '', fraction, ...rest] = bare.split(decimal)
  if (rest.length > 0 || (fraction !== undefined && !/^\d+$/.test(fraction))) return undefined
  const groups = whole.split(group)
  const isGrouped = groups.length > 1
  if (isGrouped && !(/^\d{1,3}$/.test(groups[0]!) && groups.slice(1).every((part) => /^\d{3}$/.test(part))))
    return undefined
  const digits = groups.join('')
  if (!/^\d+$/.test(digits)) return undefined
  return digits.replace(/^0+(?=\d)/, '') + (fraction === undefined ? '' : `.${fraction}`)
}

function separatorsOf(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8)
  const findPart = (type: string, standard: string) => parts.find((part) => part.type === type)?.value ?? standard
  return { group: findPart('group', ','), decimal: findPart('decimal', '.') }
}

/** An amount for an input field: without zero decimals, in the notation that `parseAmount` reads. */
export function toAmountText(amount: string | null | undefined, locale: string): string {
  if (amount === null || amount === undefined) return ''
  const [whole = '', fraction = ''] = amount.split('.')
  return Number(fraction) === 0 ? whole : `${whole}${separatorsOf(locale).decimal}${fraction}`
}

export const formatPercent = (rate: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 0 }).format(rate)

/** A share between 0 and 1 with at most one decimal. */
export const formatShare = (share: number, locale: string): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }).format(share)
