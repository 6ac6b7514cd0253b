import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { AppError, attempt, notFound } from '#platform/errors'
import { assertRecordRestorable } from '../../records/fields/record.rules.ts'
import { findRecordConsents } from '../consent/find-consent.service.ts'
import { emailTaken, mustLeadEmailsBeUnique } from '../lead-records/lead-email.service.ts'
import {
  findLeadIdsByEmails,
  type LeadRow,
  listEmailKeysIncludingDeleted,
  lockLeadEmails,
  lockLeads,
  lockLeadsIncludingDeleted,
} from '../lead-records/leads.queries.ts'
import { updateLeads } from '../lead-records/update-leads.service.ts'
import { rescoreLeads } from '../scoring/rescore-leads.service.ts'
import { lockScoringConfigShared } from '../scoring/scoring.queries.ts'
import { resumeSlaChecks } from '../sla/sla.jobs.ts'
import type { LeadServices } from './create-leads.service.ts'
import { recordLeadRestorations } from './delete-lead.service.ts'

export async function restoreLead(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  services: LeadServices,
): Promise<LeadRow> {
  await lockBeforeRestore(tx, [id])
  const [result] = await restoreLeads(tx, actor, [id], services)
  if (result instanceof AppError) throw result
  return result!
}

/** Takes the locks that precede those of leads. */
export async function lockBeforeRestore(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await lockScoringConfigShared(tx)
  if (await mustLeadEmailsBeUnique(tx)) await lockLeadEmails(tx, await listEmailKeysIncludingDeleted(tx, ids))
}

/** Returns a lead or an error per id. Requires `lockBeforeRestore`. */
export async function restoreLeads(
  tx: TenantTx,
  actor: UserActor,
  ids: readonly string[],
  services: LeadServices,
): Promise<(LeadRow | AppError)[]> {
  const now = services.clock.now()
  const rows = new Map((await lockLeadsIncludingDeleted(tx, ids)).map((lead) => [lead.id, lead]))
  const takenBy = await findTakenEmails(tx, [...rows.values()])
  const checked = ids.map((id) =>
    attempt(() => {
      const lead = assertRecordRestorable(actor, rows.get(id), 'lead', now)
      const takerId = takenBy?.get(lead.email_key ?? '')
      if (takerId) throw emailTaken(takerId)
      if (lead.email_key) takenBy?.set(lead.email_key, id)
      return lead
    }),
  )
  const restored = await restoreChecked(
    tx,
    checked.flatMap((outcome) => ('value' in outcome ? [outcome.value] : [])),
    services,
  )
  return checked.map((outcome, index) =>
    'error' in outcome ? outcome.error : (restored.get(ids[index]!) ?? notFound('deleted lead')),
  )
}

/** Returns undefined if leads may share an email address. */
async function findTakenEmails(tx: TenantTx, leads: readonly LeadRow[]): Promise<Map<string, string> | undefined> {
  if (!(await mustLeadEmailsBeUnique(tx))) return undefined
  return await findLeadIdsByEmails(
    tx,
    leads.flatMap(({ email_key }) => email_key ?? []),
  )
}

async function restoreChecked(
  tx: TenantTx,
  leads: readonly LeadRow[],
  services: LeadServices,
): Promise<Map<string, LeadRow>> {
  if (!leads.length) return new Map()
  const consents = await findRecordConsents(
    tx,
    services,
    leads.map((lead) => ({
      email: lead.email,
      phone_e164: lead.phone_e164,
      record: lead,
      since: lead.deleted_at!,
    })),
  )
  const updated = await updateLeads(
    tx,
    leads.map(({ id }, index) => ({ id, columns: { deleted_at: null, deleted_by: null, ...consents[index] } })),
  )
  const changes = leads.map((before) => ({ before, after: updated.get(before.id)! }))
  await recordLeadRestorations(tx, changes)
  await resumeSlaChecks(tx, [...updated.values()])
  // The scoring rules may have changed while the leads were deleted.
  const restored = await lockLeads(tx, [...updated.keys()])
  const rescored = await rescoreLeads(tx, restored, { cause: 'restored', now: services.clock.now() })
  return new Map(rescored.map((lead) => [lead.id, lead]))
}
