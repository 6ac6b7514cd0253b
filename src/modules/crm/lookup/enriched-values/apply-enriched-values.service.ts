import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import type { Services } from '#platform/module'
import type { Money } from '#platform/money'
import { getAccount } from '../../people/accounts/accounts.queries.ts'
import { updateAccount } from '../../people/accounts/update-account.service.ts'
import { updateContact } from '../../people/contacts/update-contacts.service.ts'
import { updateLead } from '../../people/leads/update-lead.service.ts'
import { toAnnualRevenueColumns } from '../../records/fields/annual-revenue.service.ts'
import { type FieldSource, recordEnrichment } from '../../records/fields/provenance.queries.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import { addressFields } from './enrichable-fields.ts'
import type { RecordRef } from './record-facts.service.ts'

export type EnrichedValue = FieldSource & { value: unknown }

type RecordServices = Pick<Services, 'clock' | 'secrets'>

/** Writes values of providers to a locked record, with an activity. Returns those that could be written. */
export async function applyEnrichedValues(
  tx: TenantTx,
  actor: Actor,
  ref: RecordRef,
  values: readonly EnrichedValue[],
  services: RecordServices,
): Promise<EnrichedValue[]> {
  const usable = await dropUnconvertibleRevenue(tx, values)
  if (!usable.length) return []
  await updateRecord(tx, actor, ref, usable, services, { provenance: 'enrichment', enrichedFrom: toSources(usable) })
  const meta = {
    fields: usable.map(({ field }) => field),
    providers: [...new Set(usable.map((value) => value.provider))],
  }
  await insertSystemActivity(tx, { [`${ref.type}_id`]: ref.id }, { type: 'enriched', meta, at: services.clock.now() })
  return usable
}

/** Records that a provider returned the value that the record already has. */
export const confirmEnrichedValues = (
  tx: TenantTx,
  { type, id }: RecordRef,
  values: readonly EnrichedValue[],
  { clock }: Pick<Services, 'clock'>,
): Promise<void> => recordEnrichment(tx, type, id, toSources(values), clock.now())

/** Writes a value that a user has accepted, so that no provider overwrites it. */
export const acceptValue = (
  tx: TenantTx,
  actor: Actor,
  ref: RecordRef,
  accepted: { field: string; value: unknown },
  services: RecordServices,
): Promise<void> => updateRecord(tx, actor, ref, [accepted], services, { provenance: 'human' })

type Origin = { provenance: 'enrichment' | 'human'; enrichedFrom?: readonly FieldSource[] }

async function updateRecord(
  tx: TenantTx,
  actor: Actor,
  { type, id }: RecordRef,
  values: readonly { field: string; value: unknown }[],
  services: RecordServices,
  origin: Origin,
): Promise<void> {
  const changes = Object.fromEntries(values.map(({ field, value }) => [field, value]))
  if (type === 'lead') await updateLead(tx, actor, id, { changes, ...origin }, services)
  else if (type === 'contact') await updateContact(tx, actor, id, { changes, ...origin }, services)
  else await updateAccount(tx, actor, id, { changes: await withAddress(tx, id, changes), ...origin }, services)
}

async function withAddress(tx: TenantTx, id: string, changes: Record<string, unknown>) {
  const parts = Object.entries(changes).filter(([field]) => addressFields.includes(field))
  if (!parts.length) return changes
  const others = Object.entries(changes).filter(([field]) => !addressFields.includes(field))
  const address = (await getAccount(tx, id)).address as object | null
  return { ...Object.fromEntries(others), address: { ...address, ...Object.fromEntries(parts) } }
}

const toSources = (values: readonly EnrichedValue[]): FieldSource[] =>
  values.map(({ field, provider, confidence }) => ({ field, provider, confidence }))

async function dropUnconvertibleRevenue(tx: TenantTx, values: readonly EnrichedValue[]): Promise<EnrichedValue[]> {
  const revenue = values.find(({ field }) => field === 'annual_revenue')
  if (!revenue) return [...values]
  try {
    await toAnnualRevenueColumns(tx, revenue.value as Money)
    return [...values]
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return values.filter((value) => value !== revenue)
  }
}
