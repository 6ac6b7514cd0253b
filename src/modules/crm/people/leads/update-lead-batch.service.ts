import { filterActiveUserIds } from '#modules/identity'
import type { Actor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { attempt, notFound, type Outcome, requireValue, unknownReference } from '#platform/errors'
import { checkManyCustomChanges } from '../../records/custom-values/check-custom-values.service.ts'
import { assertCustomSize } from '../../records/custom-values/store-custom-values.service.ts'
import { convertAnnualRevenue } from '../../records/fields/annual-revenue.service.ts'
import { readCurrencyRates } from '../../records/settings/crm-settings.service.ts'
import { lockAssignmentState } from '../assignment/assignment.queries.ts'
import { moveConsents } from '../consent/inherit-consent.service.ts'
import { emailTaken, mustLeadEmailsBeUnique } from '../lead-records/lead-email.service.ts'
import {
  findLeadIdsByEmails,
  type LeadColumns,
  type LeadRow,
  lockLeadEmails,
  lockLeads,
  updateLeadRowsEach,
} from '../lead-records/leads.queries.ts'
import type { LeadChanges } from '../lead-records/leads.schemas.ts'
import { registerLeadSources } from '../lead-sources/lead-sources.queries.ts'
import type { LeadServices } from './create-leads.service.ts'
import { assertAllowedChanges, effectiveChanges, fieldNames, toChangedColumns } from './lead-changes.service.ts'
import { recordLeadChanges } from './record-lead-changes.service.ts'

export type LeadUpdateOfBatch = { id: string; changes: LeadChanges }

/**
 * Updates leads, each with its own changes, with a fixed number of statements unless addresses change. Every lead occurs once.
 * Returns the lead or an error per update. Lock order: email, lead, source, assignment state, consent.
 */
export async function updateLeadBatch(
  tx: TenantTx,
  actor: Actor,
  updates: readonly LeadUpdateOfBatch[],
  services: LeadServices,
): Promise<Outcome<LeadRow>[]> {
  if (!updates.length) return []
  const now = services.clock.now()
  const references = await lockReferences(tx, updates, now)
  const plans = updates.map((update, index) => attempt(() => planChange(update, references, index, now)))
  const planned = plans.flatMap((plan) => ('value' in plan && plan.value.columns ? [plan.value] : []))
  await registerLeadSources(
    tx,
    planned.flatMap(({ changes: { source } }) => source ?? []),
  )
  const ownerIds = planned.flatMap(({ changes: { owner_id } }) => owner_id ?? [])
  if (ownerIds.length) await lockAssignmentState(tx, [...new Set(ownerIds)].sort())
  const consents = await moveConsents(
    tx,
    services,
    planned.map(({ before, changes: { email }, columns }) => ({
      record: { ...before, ref: { kind: 'lead' as const, id: before.id } },
      addresses: { email, phone_e164: columns!.phone_e164 },
    })),
  )
  const changes = planned.map(({ before, columns }) => ({
    before,
    columns: { ...columns!, ...consents.get(before.id) } as LeadColumns,
  }))
  const updated = new Map((await updateRows(tx, changes)).map((lead) => [lead.id, lead]))
  await recordLeadChanges(
    tx,
    actor,
    planned.map(({ before, fields, changes }) => ({
      before,
      after: updated.get(before.id)!,
      fields,
      reason: changes.stage_reason,
    })),
    now,
  )
  return plans.map((plan) =>
    'error' in plan ? plan : { value: updated.get(plan.value.before.id) ?? plan.value.before },
  )
}

type References = Awaited<ReturnType<typeof lockReferences>>

async function lockReferences(tx: TenantTx, updates: readonly LeadUpdateOfBatch[], now: Date) {
  const changes = updates.map((update) => update.changes)
  const emailKeys = changes.flatMap(({ email }) => (email ? [email.toLowerCase()] : []))
  const isUnique = emailKeys.length > 0 && (await mustLeadEmailsBeUnique(tx))
  if (isUnique) await lockLeadEmails(tx, emailKeys)
  const leads = await lockLeads(
    tx,
    updates.map(({ id }) => id),
  )
  const emailOwners = isUnique ? await findLeadIdsByEmails(tx, emailKeys) : new Map<string, string>()
  const activeOwners = await filterActiveUserIds(
    tx,
    changes.flatMap(({ owner_id }) => owner_id ?? []),
  )
  const currencies = new Set(changes.flatMap(({ annual_revenue }) => annual_revenue?.currency ?? []))
  const customs = changes.map(({ custom = {} }) => custom)
  return {
    leads: new Map(leads.map((lead) => [lead.id, lead])),
    emailOwners,
    activeOwners,
    rates: currencies.size ? await readCurrencyRates(tx, currencies) : { base: '', rates: {} },
    customs: await checkManyCustomChanges(tx, 'lead', customs, now),
  }
}

function planChange({ id, changes: requested }: LeadUpdateOfBatch, references: References, index: number, now: Date) {
  const { leads, emailOwners, activeOwners, rates, customs } = references
  const before = leads.get(id)
  if (!before) throw notFound('lead')
  const custom = requested.custom && requireValue(customs[index]!)
  const changes = effectiveChanges(before, { ...requested, ...(custom && { custom }) })
  const fields = fieldNames(changes)
  if (!fields.length) return { before, fields, changes, columns: null }
  assertAllowedChanges(before, changes)
  const { owner_id, annual_revenue } = changes
  if (owner_id && !activeOwners.has(owner_id)) throw unknownReference('/owner_id', 'active user')
  const emailKey = changes.email?.toLowerCase()
  const emailOwner = emailKey === before.email_key ? undefined : emailOwners.get(emailKey ?? '')
  if (emailOwner && emailOwner !== id) throw emailTaken(emailOwner)
  if (emailKey) emailOwners.set(emailKey, id)
  if (changes.custom) assertCustomSize(changes.custom)
  const revenue = annual_revenue === undefined ? undefined : convertAnnualRevenue(annual_revenue, rates)
  return { before, fields, changes, columns: toChangedColumns(before, changes, { revenue, now }) }
}

type PlannedRow = { before: LeadRow; columns: LeadColumns }

/** All leads get the columns that change in any of them, so that one statement writes them. */
async function updateRows(tx: TenantTx, changes: readonly PlannedRow[]): Promise<LeadRow[]> {
  if (!changes.length) return []
  const names = new Set(changes.flatMap(({ columns }) => Object.keys(columns)))
  const updates = changes.map(({ before, columns }) => {
    const all = { ...before, ...columns } as Record<string, unknown>
    return { id: before.id, columns: Object.fromEntries([...names].map((name) => [name, all[name]])) as LeadColumns }
  })
  return await updateLeadRowsEach(tx, updates)
}
