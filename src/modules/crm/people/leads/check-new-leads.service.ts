import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { type AppError, attempt, requireValue, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { checkManyNewValues } from '../../records/custom-values/check-custom-values.service.ts'
import { assertCustomSize } from '../../records/custom-values/store-custom-values.service.ts'
import { convertAnnualRevenue } from '../../records/records/annual-revenue.service.ts'
import { assertValidCountryAndTimezone } from '../../records/records/place.rules.ts'
import { readCurrencyRates } from '../../records/settings/currency.service.ts'
import { readSubjectKey } from '../consent/subject-hashes.service.ts'
import { assertIdentifiable, deriveLeadColumns } from '../lead-records/lead-columns.rules.ts'
import { assertDisqualifyReason } from '../lead-records/lead-status.rules.ts'
import type { NewLead } from '../lead-records/leads.schemas.ts'
import type { LeadDraft } from './new-lead.rules.ts'

type ValidInput = { index: number; input: NewLead; derived: ReturnType<typeof deriveLeadColumns> }
type Errors = Map<number, AppError>

function keepValid<Item extends { index: number }, Result>(
  items: readonly Item[],
  errors: Errors,
  check: (item: Item, position: number) => Result,
): Result[] {
  return items.flatMap((item, position) => {
    const outcome = attempt(() => check(item, position))
    if ('value' in outcome) return [outcome.value]
    errors.set(item.index, outcome.error)
    return []
  })
}

export function checkInputs(inputs: readonly NewLead[], errors: Errors): ValidInput[] {
  const items = inputs.map((input, index) => ({ index, input }))
  return keepValid(items, errors, ({ index, input }) => {
    assertIdentifiable(input)
    assertValidCountryAndTimezone(input)
    assertDisqualifyReason(input.status ?? 'new', input.disqualify_reason)
    return { index, input, derived: deriveLeadColumns(input) }
  })
}

type References = Awaited<ReturnType<typeof readReferences>>

export async function readReferences(
  tx: TenantTx,
  services: Pick<Services, 'secrets'>,
  valid: readonly ValidInput[],
  now: Date,
) {
  const inputs = valid.map(({ input }) => input)
  const currencies = new Set(inputs.flatMap(({ annual_revenue }) => annual_revenue?.currency ?? []))
  const [customs, subjectKey, activeOwners, rates] = await Promise.all([
    checkManyNewValues(
      tx,
      'lead',
      inputs.map(({ custom = {} }) => custom),
      { now },
    ),
    readSubjectKey(tx, services),
    filterActiveUserIds(
      tx,
      inputs.flatMap(({ owner_id }) => owner_id ?? []),
    ),
    currencies.size ? readCurrencyRates(tx, currencies) : { base: '', rates: {} },
  ])
  return { customs, subjectKey, activeOwners, rates }
}

export function resolveInputs(valid: readonly ValidInput[], references: References, errors: Errors): LeadDraft[] {
  const { customs, activeOwners, rates } = references
  return keepValid(valid, errors, ({ index, input, derived }, position): LeadDraft => {
    const custom = requireValue(customs[position]!)
    if (input.owner_id && !activeOwners.has(input.owner_id)) throw unknownReference('/owner_id', 'active user')
    const revenue = convertAnnualRevenue(input.annual_revenue ?? null, rates)
    assertCustomSize(custom)
    return {
      index,
      id: newId(),
      input: { ...input, custom },
      derived: { ...derived, ...revenue },
    }
  })
}
