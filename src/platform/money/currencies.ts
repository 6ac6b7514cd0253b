/** ISO 4217 minor digits other than two. Not taken from Intl, because a runtime update could change stored amounts. */
const exceptions: Readonly<Record<string, number>> = {
  ...perCurrency('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF', 0),
  ...perCurrency('BHD IQD JOD KWD LYD OMR TND', 3),
  ...perCurrency('CLF UYW', 4),
}

export const currencyDigits = (currency: string): number => exceptions[currency] ?? 2

const knownCurrencies = new Set(Intl.supportedValuesOf('currency'))

export const isCurrency = (code: string): boolean => knownCurrencies.has(code)

function perCurrency(codes: string, digits: number): Record<string, number> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, digits]))
}
