/**
 * Minor digits of ISO 4217 where they are not two. Written down, not asked of the runtime: amounts are stored in minor units,
 * and an update of the runtime's own table would change what they are worth.
 */
const digitsOtherThanTwo: Readonly<Record<string, number>> = {
  ...perCurrency('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...perCurrency('BHD IQD JOD KWD LYD OMR TND', 3),
  ...perCurrency('CLF UYW', 4),
}

/** How many decimals an amount in this currency may have. */
export const currencyDigits = (currency: string): number => digitsOtherThanTwo[currency] ?? 2

function perCurrency(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]))
}
