import { isCurrency, isTimeZone } from '#modules/identity'
import type { InputError } from '#platform/errors'
import type { CrmSettings } from './crm-settings.schemas.ts'

type Problem = Omit<InputError, 'in'>

const at = (path: string, code: string, message: string): Problem => ({ path, code, message })

/** What is wrong although each field is well formed. `activeOwners` are those of the named owners work can be given to. */
export function problemsInCrmSettings(settings: CrmSettings, activeOwners: ReadonlySet<string>): Problem[] {
  const { currency_rates, sla, assignment } = settings
  return [...problemsInRates(currency_rates), ...problemsInHours(sla), ...problemsInOwners(assignment, activeOwners)]
}

const problemsInRates = (rates: CrmSettings['currency_rates']): Problem[] =>
  Object.entries(rates).flatMap(([currency, rate]) => {
    const path = `/currency_rates/${currency}`
    if (!isCurrency(currency)) return [at(path, 'unknown', 'Name a currency by its ISO 4217 code, such as EUR.')]
    return Number(rate) > 0 ? [] : [at(path, 'minimum', 'A rate is greater than zero.')]
  })

function problemsInHours({ business_hours: { timezone, start, end } }: CrmSettings['sla']): Problem[] {
  const problems: Problem[] = []
  if (timezone !== null && !isTimeZone(timezone))
    problems.push(at('/sla/business_hours/timezone', 'unknown', 'Name an IANA time zone, such as Europe/Berlin.'))
  if (start >= end) problems.push(at('/sla/business_hours/end', 'order', 'Business hours end after they start.'))
  return problems
}

function problemsInOwners({ owner_ids }: CrmSettings['assignment'], active: ReadonlySet<string>): Problem[] {
  return owner_ids.flatMap((id, index) =>
    active.has(id)
      ? []
      : [at(`/assignment/owner_ids/${index}`, 'unknown_reference', 'Name active users of the workspace.')],
  )
}
