import { isTimeZone } from '#platform/calendar'
import type { InputError } from '#platform/errors'
import { currencyDigits, isCurrency } from '#platform/money'
import type { CrmSettings } from './crm-settings.schemas.ts'

type Problem = Omit<InputError, 'in'>

const problem = (path: string, code: string, message: string): Problem => ({ path, code, message })

export function validateCrmSettings(settings: CrmSettings, activeOwners: ReadonlySet<string>): Problem[] {
  const { currency_rates, sla, assignment } = settings
  return [...validateRates(currency_rates), ...validateBusinessHours(sla), ...validateOwners(assignment, activeOwners)]
}

const validateRates = (rates: CrmSettings['currency_rates']): Problem[] =>
  Object.entries(rates).flatMap(([currency, rate]) => {
    const path = `/currency_rates/${currency}`
    if (!isCurrency(currency))
      return [problem(path, 'unknown', 'The key must be an ISO 4217 currency code, such as EUR.')]
    return Number(rate) > 0 ? [] : [problem(path, 'minimum', 'The exchange rate must be greater than zero.')]
  })

function validateBusinessHours({ business_hours: { timezone, start, end } }: CrmSettings['sla']): Problem[] {
  const problems: Problem[] = []
  if (timezone !== null && !isTimeZone(timezone))
    problems.push(
      problem(
        '/sla/business_hours/timezone',
        'unknown',
        '`timezone` must be an IANA time zone, such as Europe/Berlin.',
      ),
    )
  if (start >= end) problems.push(problem('/sla/business_hours/end', 'order', '`end` must be later than `start`.'))
  return problems
}

function validateOwners({ owner_ids }: CrmSettings['assignment'], active: ReadonlySet<string>): Problem[] {
  return owner_ids.flatMap((id, index) =>
    active.has(id)
      ? []
      : [
          problem(
            `/assignment/owner_ids/${index}`,
            'unknown_reference',
            'The id must belong to an active user of the workspace.',
          ),
        ],
  )
}

/** Converts to minor units of the base currency with integer arithmetic, rounding half away from zero. `rate` is a decimal. */
export function convertMinor(minor: number, from: string, base: string, rate: string): number {
  const [whole = '0', decimals = ''] = rate.split('.')
  const scaled = BigInt(minor) * BigInt(whole + decimals) * 10n ** BigInt(currencyDigits(base))
  const divisor = 10n ** BigInt(decimals.length + currencyDigits(from))
  const size = scaled < 0n ? -scaled : scaled
  const rounded = (2n * size + divisor) / (2n * divisor)
  return Number(scaled < 0n ? -rounded : rounded)
}
