import type { TenantTx } from '#platform/db'
import { setLeadStatus } from '../../people/lead-records/lead-status.service.ts'
import { type LeadRow, updateLeadRow } from '../../people/lead-records/leads.queries.ts'
import { rescoreLead } from '../../people/scoring/rescore-leads.service.ts'
import { resumeSlaChecks } from '../../people/sla/sla.jobs.ts'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import type { ActivityRow } from './activities.queries.ts'
import { isEngagement, isResponse, nextLeadStatus } from './activity.rules.ts'
import { getLeadActivitySummary } from './activity-parents.queries.ts'

export async function applyActivityToLead(
  tx: TenantTx,
  lead: LeadRow,
  activity: ActivityRow,
  now: Date,
): Promise<LeadRow> {
  const { occurred_at: at } = activity
  const updated = await updateLeadRow(tx, lead.id, {
    last_activity_at: laterOf(lead.last_activity_at, at),
    ...(isEngagement(activity) && { last_engaged_at: laterOf(lead.last_engaged_at, at) }),
    ...(await firstResponseColumns(tx, lead, activity)),
  })
  await advanceStatus(tx, updated, activity, now)
  return await rescoreLead(tx, lead.id, { cause: 'activity', now })
}

/** For a changed outcome, for example of a meeting that was held. */
export async function applyOutcomeToLead(
  tx: TenantTx,
  lead: LeadRow,
  activity: ActivityRow,
  now: Date,
): Promise<LeadRow> {
  await advanceStatus(tx, lead, activity, now)
  return await rescoreLead(tx, lead.id, { cause: 'activity', now })
}

/** Recalculates the response time and last activities of a lead that has lost activities, and its score. The status is kept. */
export async function recalculateLead(
  tx: TenantTx,
  lead: LeadRow,
  { cause, now }: { cause: 'activity' | 'restored'; now: Date },
): Promise<LeadRow> {
  const { first, ...latest } = await getLeadActivitySummary(tx, lead.id, await countsAutomated(tx))
  const response = first
    ? { first_responded_at: laterOf(first.occurred_at, lead.created_at), first_responder_id: first.actor_user_id }
    : { first_responded_at: null, first_responder_id: null }
  const updated = await updateLeadRow(tx, lead.id, { ...latest, ...response })
  await resumeSlaChecks(tx, [updated])
  return await rescoreLead(tx, lead.id, { cause, now })
}

async function advanceStatus(tx: TenantTx, lead: LeadRow, activity: ActivityRow, now: Date): Promise<void> {
  const status = nextLeadStatus(lead.status, activity)
  if (status) await setLeadStatus(tx, lead, status, { cause: 'activity', now })
}

/** The earliest response wins, even if it is logged late. A response before the lead was created counts from its creation. */
async function firstResponseColumns(tx: TenantTx, lead: LeadRow, activity: ActivityRow) {
  const at = laterOf(activity.occurred_at, lead.created_at)
  if (lead.first_responded_at && lead.first_responded_at <= at) return {}
  const counts = isResponse(activity, false) || (isResponse(activity, true) && (await countsAutomated(tx)))
  return counts ? { first_responded_at: at, first_responder_id: activity.actor_user_id } : {}
}

const countsAutomated = async (tx: TenantTx): Promise<boolean> => (await readCrmSettings(tx)).sla.count_automated

const laterOf = (one: Date | null, other: Date): Date => (one && one > other ? one : other)
