import { isDeepStrictEqual } from 'node:util'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { leadMergeUndone, leadRestored } from '../../crm.events.ts'
import { emitOwnerChange } from '../../people/assignment/assignment.service.ts'
import {
  mergeConsent,
  mergeSourceOf,
  type RecordConsent,
  strictestEmailStatus,
} from '../../people/consent/consent.rules.ts'
import { lockConsent } from '../../people/consent/consent-events.queries.ts'
import { type ConsentSource, findRecordConsents } from '../../people/consent/find-consent.service.ts'
import { inheritConsent, subjectsOf } from '../../people/consent/inherit-consent.service.ts'
import { revertInheritedConsent } from '../../people/consent/revert-consent.service.ts'
import { mustLeadEmailsBeUnique } from '../../people/lead-records/lead-email.service.ts'
import { emitStageChange } from '../../people/lead-records/lead-stage.service.ts'
import {
  findLeadIdByEmail,
  type LeadRow,
  lockLeadEmail,
  lockLeadsIncludingDeleted,
  updateLeadRow,
} from '../../people/lead-records/leads.queries.ts'
import { deriveLeadColumns } from '../../people/lead-records/leads.rules.ts'
import { toLeadDetails } from '../../people/leads/lead-details.service.ts'
import { lockScoringConfigShared } from '../../people/scoring/scoring.queries.ts'
import { storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { restorableDays } from '../../records/fields/record.rules.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import { type RepointedRows, restoreReferences } from '../../records/references/merge-references.queries.ts'
import { recalculateLead } from '../activities/lead-effects.service.ts'
import { endedEnrollmentsPoint } from './ended-enrollments.ts'
import {
  findLeadMerge,
  listMergedLeadEmails,
  listOtherMergedLeads,
  lockLeadMerge,
  markMergeUndone,
} from './merge.queries.ts'
import type { UndoneLeadMerge } from './merge.schemas.ts'
import { lockNextOwner, updateMergedLead } from './merged-lead.service.ts'

/** Snapshot of a lead as JSON; timestamps are ISO strings. */
type LeadSnapshot = Record<string, unknown>
type MergeSnapshot = { before: LeadSnapshot; after: LeadSnapshot; merged_ids: string[] }

type UndoServices = Pick<Services, 'clock' | 'secrets' | 'registry'>

export async function undoLeadMerge(tx: TenantTx, mergeId: string, services: UndoServices): Promise<UndoneLeadMerge> {
  const now = services.clock.now()
  await lockScoringConfigShared(tx)
  const { primary_id, snapshot } = await getUndoableMerge(tx, mergeId, now)
  const uniqueEmails = await mustLeadEmailsBeUnique(tx)
  if (uniqueEmails) await lockMergedEmails(tx, primary_id, snapshot as MergeSnapshot)
  const leads = await lockLeadsIncludingDeleted(tx, [primary_id, ...(snapshot as MergeSnapshot).merged_ids])
  const primary = leads.find(({ id }) => id === primary_id)
  const merge = (await lockLeadMerge(tx, mergeId))!
  if (merge.undone_at !== null) throw conflict('conflict', 'This merge has already been undone.')
  const { before, after } = merge.snapshot as MergeSnapshot
  assertUndoable(primary, before)

  const restored_ids = leads.filter(({ merged_into_id }) => merged_into_id === primary_id).map(({ id }) => id)
  const previous = previousValues(primary, { before, after })
  if (uniqueEmails) await assertEmailsAreUnused(tx, { primary, previous, restored_ids })
  await lockNextOwner(tx, primary, previous.owner_id)
  const restore = (isAfterConsent: boolean) =>
    restoreReferences(tx, services.registry, merge.moved as RepointedRows, {
      to: 'lead',
      isAfterConsent,
      fromId: primary_id,
      toIds: restored_ids,
    })
  await restore(false)
  const restoring = leads.filter(({ id }) => restored_ids.includes(id))
  const kept = await revertMergedConsent(tx, services, { mergeId, primary, previous, after, restoring })
  const sources = [
    toUnmergedSource({ primary, previous, before: { ...before, ...withKept(before, kept) } }, merge.created_at),
    ...restoring.map(toRestoredSource),
  ]
  const [consent, ...restoredConsents] = await findRecordConsents(tx, services, sources)
  await restore(true)
  const unmerged = await updateMergedLead(tx, primary, { ...previous, ...consent })
  await markMergeUndone(tx, mergeId, now)
  const [countEnded] = services.registry.extensionsOf(endedEnrollmentsPoint)
  const ended_enrollments = (await countEnded?.(tx, { survivorId: primary_id, mergedIds: restored_ids })) ?? 0
  await recordAudit(tx, 'lead.merge_undone', { id: primary_id, label: unmerged.name, before: primary, after: unmerged })
  await emit(tx, leadMergeUndone, unmerged, { merge_id: mergeId, restored_ids })
  if (unmerged.owner_id !== primary.owner_id) await emitOwnerChange(tx, primary.owner_id, unmerged, now)
  if (unmerged.lifecycle_stage !== primary.lifecycle_stage)
    await emitStageChange(tx, primary, unmerged, { reason: 'The merge was undone.', cause: 'merge', now })
  for (const [index, id] of restored_ids.entries()) await restoreMergedLead(tx, id, restoredConsents[index]!, now)
  const recalculated = await recalculateLead(tx, unmerged, { cause: 'restored', now })
  return { lead: await toLeadDetails(tx, recalculated, now), restored_ids, ended_enrollments }
}

async function getUndoableMerge(tx: TenantTx, id: string, now: Date) {
  const merge = await findLeadMerge(tx, id)
  if (!merge || merge.created_at <= daysLater(now, -restorableDays)) throw notFound('merge that can be undone')
  return merge
}

/** A merge cannot be undone once the surviving lead was deleted, merged or converted. */
function assertUndoable(primary: LeadRow | undefined, before: LeadSnapshot): asserts primary is LeadRow {
  if (!primary || primary.deleted_at !== null)
    throw conflict('conflict', 'The surviving lead was deleted or merged. Restore it first.')
  if (primary.status === 'converted' && before.status !== 'converted')
    throw conflict(
      'lead_converted',
      'The surviving lead was converted after the merge. Undoing the merge is no longer possible.',
    )
}

/** Lock email addresses before leads. Merged leads cannot be edited, so their addresses are stable. */
async function lockMergedEmails(tx: TenantTx, primaryId: string, { before, merged_ids }: MergeSnapshot): Promise<void> {
  const merged = await listMergedLeadEmails(tx, merged_ids, primaryId)
  const keys = [before.email_key as string | null, ...merged.map(({ email_key }) => email_key)]
  for (const key of [...new Set(keys)].filter((key) => key !== null).sort()) await lockLeadEmail(tx, key)
}

type UndoContext = { primary: LeadRow; previous: Partial<LeadRow>; restored_ids: readonly string[] }

async function assertEmailsAreUnused(tx: TenantTx, { primary, previous, restored_ids }: UndoContext): Promise<void> {
  const surviving = {
    id: primary.id,
    email_key: (previous.email === undefined ? primary.email : previous.email)?.toLowerCase(),
  }
  const restored = await listMergedLeadEmails(tx, restored_ids, primary.id)
  const all = [surviving, ...restored]
  const ids = all.map(({ id }) => id)
  for (const { id, email_key } of previous.email === undefined ? restored : all) {
    if (!email_key) continue
    const duplicate = all.find((other) => other.id !== id && other.email_key === email_key)
    const existing_id = duplicate?.id ?? (await findLeadIdByEmail(tx, email_key, ids))
    if (existing_id)
      throw conflict(
        'already_exists',
        'Two leads would have the same email address, which this workspace does not allow. Change the email address of the ' +
          'other lead, delete it, or allow duplicate email addresses in the CRM settings, then try again.',
        { existing_id },
      )
  }
}

type RevertedMerge = {
  mergeId: string
  primary: LeadRow
  previous: Partial<LeadRow>
  after: LeadSnapshot
  restoring: readonly LeadRow[]
}

/** Returns the opt-outs of the leads that stay merged, which the surviving lead and its email address keep. */
async function revertMergedConsent(
  tx: TenantTx,
  services: UndoServices,
  { mergeId, primary, previous, after, restoring }: RevertedMerge,
): Promise<RecordConsent> {
  const unmerged = { ...primary, ...previous }
  const staying = await listOtherMergedLeads(
    tx,
    primary.id,
    restoring.map(({ id }) => id),
  )
  const addresses = { email_key: after.email_key as string | null, phone_e164: after.phone_e164 as string | null }
  const unmergedAddresses = {
    email_key: unmerged.email?.toLowerCase() ?? null,
    phone_e164: deriveLeadColumns(unmerged).phone_e164,
  }
  await lockConsent(tx, [addresses, unmergedAddresses, ...restoring, ...staying].flatMap(subjectsOf))
  const kept = mergeConsent({ email_key: '' }, await findConsentsOf(tx, services, staying))
  const ref = { kind: 'lead' as const, id: primary.id }
  const newSource = `undo of merge ${mergeId}`
  await revertInheritedConsent(tx, services, { ref, addresses, source: mergeSourceOf(mergeId), kept, newSource })
  const target = { ref, ...unmergedAddresses }
  await inheritConsent(tx, services, { target, records: [{ ...kept, ...unmergedAddresses }], source: newSource })
  return kept
}

type MergedAwayLead = RecordConsent & Pick<LeadRow, 'email' | 'email_key' | 'phone_e164' | 'deleted_at'>

async function findConsentsOf(tx: TenantTx, services: UndoServices, leads: readonly MergedAwayLead[]) {
  const consents = await findRecordConsents(tx, services, leads.map(toRestoredSource))
  return consents.map((consent, index) => ({ ...consent, email_key: leads[index]!.email_key }))
}

function withKept({ email_status, call_status, processing_restricted }: LeadSnapshot, kept: RecordConsent) {
  return {
    email_status: strictestEmailStatus([email_status as string, kept.email_status]),
    call_status: kept.call_status === 'do_not_call' ? kept.call_status : call_status,
    processing_restricted: kept.processing_restricted || processing_restricted === true,
  }
}

type UnmergedLead = { primary: LeadRow; previous: Partial<LeadRow>; before: LeadSnapshot }

/** The consent follows from the email address that the lead gets back; opt-outs of earlier merges stay. */
function toUnmergedSource({ primary, previous, before }: UnmergedLead, since: Date): ConsentSource {
  const unmerged = { ...primary, ...previous }
  const { phone_e164 } = deriveLeadColumns(unmerged)
  const keepsEmail = unmerged.email?.toLowerCase() === (before.email_key ?? undefined)
  const keepsPhone = phone_e164 === before.phone_e164
  const isStillRestricted = previous.processing_restricted === undefined && primary.processing_restricted
  const record = {
    email_status: keepsEmail ? (before.email_status as string) : primary.email_status,
    call_status: keepsPhone ? (before.call_status as string) : primary.call_status,
    processing_restricted: isStillRestricted || before.processing_restricted === true,
  }
  return { email: unmerged.email, phone_e164, record, since }
}

const toRestoredSource = (lead: MergedAwayLead): ConsentSource => ({
  email: lead.email,
  phone_e164: lead.phone_e164,
  record: lead,
  since: lead.deleted_at!,
})

async function restoreMergedLead(tx: TenantTx, id: string, consent: RecordConsent, now: Date): Promise<void> {
  const restored = await updateLeadRow(tx, id, { merged_into_id: null, deleted_at: null, deleted_by: null, ...consent })
  await storeCustomValues(tx, 'lead', restored)
  await replaceTags(tx, 'lead', id, restored.tags)
  await recordAudit(tx, 'lead.restored', { id, label: restored.name, after: restored })
  await emit(tx, leadRestored, restored, {})
  await recalculateLead(tx, restored, { cause: 'restored', now })
}

export const restorableColumns = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'title',
  'company',
  'website',
  'linkedin_url',
  'industry',
  'employee_count',
  'country',
  'region',
  'city',
  'timezone',
  'annual_revenue_minor',
  'annual_revenue_currency',
  'annual_revenue_base_minor',
  'source',
  'source_detail',
  'utm',
  'owner_id',
  'assigned_at',
  'notes',
  'tags',
  'custom',
  'lifecycle_stage',
  'mql_at',
  'sql_at',
  'opportunity_at',
  'customer_at',
  'processing_restricted',
] as const

/** A column on the left is restored only together with the column on the right. */
const dependsOn: Partial<Record<string, string>> = {
  annual_revenue_currency: 'annual_revenue_minor',
  annual_revenue_base_minor: 'annual_revenue_minor',
  assigned_at: 'owner_id',
  mql_at: 'lifecycle_stage',
  sql_at: 'lifecycle_stage',
  opportunity_at: 'lifecycle_stage',
  customer_at: 'lifecycle_stage',
}

function previousValues(lead: LeadRow, { before, after }: Omit<MergeSnapshot, 'merged_ids'>): Partial<LeadRow> {
  const current = JSON.parse(JSON.stringify(lead)) as LeadSnapshot
  const isUnchanged = (field: string) => isDeepStrictEqual(current[field], after[field])
  const fields = restorableColumns.filter(
    (field) => isUnchanged(dependsOn[field] ?? field) && !isDeepStrictEqual(before[field], after[field]),
  )
  return Object.fromEntries(fields.map((field) => [field, toColumnValue(field, before[field])]))
}

const toColumnValue = (field: string, value: unknown): unknown =>
  field.endsWith('_at') && typeof value === 'string' ? new Date(value) : value
