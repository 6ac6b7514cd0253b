import { isDeepStrictEqual } from 'node:util'
import { record } from '#platform/audit'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { emit } from '#platform/outbox'
import { leadMergeUndone, leadRestored } from '../crm.events.ts'
import { restorableDays } from '../deleted/restorable.rules.ts'
import { areAddressesUnique } from '../leads/addresses.service.ts'
import { announceOwner } from '../leads/assignment.service.ts'
import { changeLeadFields, findLeadIdByEmail, holdAddress, type LeadRow, lockAnyLead } from '../leads/leads.queries.ts'
import { showLead } from '../leads/show-leads.service.ts'
import { announceStage } from '../leads/stage.service.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { rescoreLead } from '../scoring/scoring.service.ts'
import {
  addressesOf,
  findMerge,
  giveChildrenBack,
  lockMerge,
  lockMergedInto,
  type Moved,
  markUndone,
} from './merge.queries.ts'
import type { UndoneMerge } from './merge.schemas.ts'
import { writeLead } from './write-lead.service.ts'

/** A lead as it was kept: what was an instant is text by now. */
type Kept = Record<string, unknown>
type Snapshot = { before: Kept; after: Kept; merged_ids: string[] }

/** Takes leads apart that were joined. What was changed since the merge stays as it is. */
export async function undoMerge(tx: TenantTx, mergeId: string, now: Date): Promise<UndoneMerge> {
  const { primary_id, snapshot } = await requireMerge(tx, mergeId, now)
  const isUnique = await areAddressesUnique(tx)
  if (isUnique) await holdAddressesOf(tx, primary_id, snapshot as Snapshot)
  const primary = await lockAnyLead(tx, primary_id)
  const merge = (await lockMerge(tx, mergeId))!
  if (merge.undone_at !== null) throw conflict('conflict', 'This merge was undone already.')
  const { before, after, merged_ids } = merge.snapshot as Snapshot
  assertStillApart(primary, before)

  const restored_ids = await lockMergedInto(tx, merged_ids, primary_id)
  const former = formerValues(primary, { before, after })
  if (isUnique) await assertAddressesFree(tx, { primary, former, restored_ids })
  await giveChildrenBack(tx, merge.moved as Moved, { from: primary_id, to: restored_ids })
  const separate = await writeLead(tx, primary, former)
  await markUndone(tx, mergeId, now)
  await record(tx, 'lead.merge_undone', { id: primary_id, label: separate.name, before: primary, after: separate })
  await emit(tx, leadMergeUndone, separate, { merge_id: mergeId, restored_ids })
  if (separate.owner_id !== primary.owner_id) await announceOwner(tx, primary.owner_id, separate, now)
  if (separate.lifecycle_stage !== primary.lifecycle_stage)
    await announceStage(tx, primary, separate, { reason: 'The merge was undone.', cause: 'merge', now })
  for (const id of restored_ids) await bringBack(tx, id, now)
  const scored = await rescoreLead(tx, primary_id, { cause: 'restored', now })
  return { lead: await showLead(tx, scored, now), restored_ids }
}

async function requireMerge(tx: TenantTx, id: string, now: Date) {
  const merge = await findMerge(tx, id)
  if (!merge || merge.created_at <= daysLater(now, -restorableDays)) throw notFound('merge that can be undone')
  return merge
}

/** What came after the merge may have made one of the two for good. */
function assertStillApart(primary: LeadRow | undefined, before: Kept): asserts primary is LeadRow {
  if (!primary || primary.deleted_at !== null)
    throw conflict('conflict', 'The lead was deleted or merged itself. Bring it back first.')
  if (primary.status === 'converted' && before.status !== 'converted')
    throw conflict(
      'lead_converted',
      'The lead was converted since. What was merged into it is part of its contact now.',
    )
}

/** Ahead of the leads, as wherever both are held. Nobody changes the address of a lead that is away. */
async function holdAddressesOf(tx: TenantTx, primaryId: string, { before, merged_ids }: Snapshot): Promise<void> {
  const away = await addressesOf(tx, merged_ids, primaryId)
  const keys = [before.email_key as string | null, ...away.map(({ email_key }) => email_key)]
  for (const key of [...new Set(keys)].filter((one) => one !== null).sort()) await holdAddress(tx, key)
}

type Undoing = { primary: LeadRow; former: Partial<LeadRow>; restored_ids: readonly string[] }

/** Where an address is that of one lead only, nobody comes back with one that another lead has. */
async function assertAddressesFree(tx: TenantTx, { primary, former, restored_ids }: Undoing): Promise<void> {
  const stays = {
    id: primary.id,
    email_key: (former.email === undefined ? primary.email : former.email)?.toLowerCase(),
  }
  const restored = await addressesOf(tx, restored_ids, primary.id)
  const together = [stays, ...restored]
  const ids = together.map(({ id }) => id)
  for (const { id, email_key } of former.email === undefined ? restored : together) {
    if (!email_key) continue
    const twin = together.find((other) => other.id !== id && other.email_key === email_key)
    const existing_id = twin?.id ?? (await findLeadIdByEmail(tx, email_key, ids))
    if (existing_id)
      throw conflict(
        'already_exists',
        'Two leads would have the same e-mail address, which this workspace does not allow. Give the other lead another ' +
          'address or delete it, or allow duplicates in the settings for leads; then undo the merge again.',
        { existing_id },
      )
  }
}

async function bringBack(tx: TenantTx, id: string, now: Date): Promise<void> {
  const restored = await changeLeadFields(tx, id, { merged_into_id: null, deleted_at: null, deleted_by: null })
  await storeTags(tx, 'lead', id, restored.tags)
  await record(tx, 'lead.restored', { id, label: restored.name, after: restored })
  await emit(tx, leadRestored, restored, {})
  await rescoreLead(tx, id, { cause: 'restored', now })
}

/** What a merge may have changed, and what only follows from that. */
const undoable = [
  ...(['first_name', 'last_name', 'email', 'phone', 'title', 'company', 'website', 'linkedin_url'] as const),
  ...(['industry', 'employee_count', 'country', 'region', 'city', 'timezone'] as const),
  ...(['annual_revenue_minor', 'annual_revenue_currency', 'annual_revenue_base_minor'] as const),
  ...(['source', 'source_detail', 'utm', 'owner_id', 'assigned_at', 'notes', 'tags', 'custom'] as const),
  ...(['lifecycle_stage', 'mql_at', 'sql_at', 'opportunity_at', 'customer_at'] as const),
  ...(['first_responded_at', 'first_responder_id', 'last_activity_at', 'last_engaged_at'] as const),
  ...(['email_status', 'call_status', 'processing_restricted'] as const),
]

/** Columns that mean one thing together go back together or not at all. */
const joined: Partial<Record<string, string>> = {
  annual_revenue_currency: 'annual_revenue_minor',
  annual_revenue_base_minor: 'annual_revenue_minor',
  assigned_at: 'owner_id',
  first_responder_id: 'first_responded_at',
}

function formerValues(now: LeadRow, { before, after }: Omit<Snapshot, 'merged_ids'>): Partial<LeadRow> {
  const current = JSON.parse(JSON.stringify(now)) as Kept
  const isUntouched = (field: string) => isDeepStrictEqual(current[field], after[field])
  const former = undoable.filter(
    (field) => isUntouched(joined[field] ?? field) && !isDeepStrictEqual(before[field], after[field]),
  )
  return Object.fromEntries(former.map((field) => [field, asColumn(field, before[field])]))
}

const asColumn = (field: string, value: unknown): unknown =>
  field.endsWith('_at') && typeof value === 'string' ? new Date(value) : value
