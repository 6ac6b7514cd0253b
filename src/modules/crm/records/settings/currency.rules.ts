import { currencyDigits } from '#platform/money'

/** Converts to minor units of the base currency with integer arithmetic, rounding half away from zero. `rate` is a decimal. */
export function convertMinor(minor: number, from: string, base: string, rate: string): number {
  const [whole = '0', decimals = ''] = rate.split('.')
  const scaled = BigInt(minor) * BigInt(whole + decimals) * 10n ** BigInt(currencyDigits(base))
  const divisor = 10n ** BigInt(decimals.length + currencyDigits(from))
  const size = scaled < 0n ? -scaled : scaled
  const rounded = (2n * size + divisor) / (2n * divisor)
  return Number(scaled < 0n ? -rounded : rounded)
}
