import type { TenantTx } from '#platform/db'
import { changeLeadFields, type LeadRow } from '../leads/leads.queries.ts'
import { checkSlaLater } from '../leads/sla.jobs.ts'
import { setStatus } from '../leads/status.service.ts'
import { rescoreLead } from '../scoring/scoring.service.ts'
import { readCrmSettings } from '../settings/crm-settings.queries.ts'
import type { ActivityRow } from './activities.queries.ts'
import { isEngagement, isResponse, statusAfter } from './activity.rules.ts'
import { retraceLead } from './activity-parents.queries.ts'

/** What follows for a lead: somebody answered it, it moves on by itself, and it is scored anew. */
export async function followUp(tx: TenantTx, lead: LeadRow, activity: ActivityRow, now: Date): Promise<LeadRow> {
  const { occurred_at: at } = activity
  const noted = await changeLeadFields(tx, lead.id, {
    last_activity_at: latest(lead.last_activity_at, at),
    ...(isEngagement(activity) && { last_engaged_at: latest(lead.last_engaged_at, at) }),
    ...(await firstResponse(tx, lead, activity)),
  })
  await moveOn(tx, noted, activity, now)
  return await rescoreLead(tx, lead.id, { cause: 'activity', now })
}

/** The same after an entry was changed: how a meeting ended may only be known later. */
export async function followChange(tx: TenantTx, lead: LeadRow, activity: ActivityRow, now: Date): Promise<LeadRow> {
  await moveOn(tx, lead, activity, now)
  return await rescoreLead(tx, lead.id, { cause: 'activity', now })
}

/** After an entry has gone: what rested on it is made out from the rest. A status that was reached stays. */
export async function takeBack(tx: TenantTx, lead: LeadRow, now: Date): Promise<LeadRow> {
  const { latest: last_activity_at, first } = await retraceLead(tx, lead.id, await countsAutomated(tx))
  const response = first
    ? { first_responded_at: latest(first.occurred_at, lead.created_at), first_responder_id: first.actor_user_id }
    : { first_responded_at: null, first_responder_id: null }
  const changed = await changeLeadFields(tx, lead.id, { last_activity_at, ...response })
  const isWaitingAgain = lead.first_responded_at !== null && changed.first_responded_at === null
  if (isWaitingAgain && lead.sla_due_at && !lead.sla_breached_at) await checkSlaLater(tx, lead.id, lead.sla_due_at)
  return await rescoreLead(tx, lead.id, { cause: 'activity', now })
}

async function moveOn(tx: TenantTx, lead: LeadRow, activity: ActivityRow, now: Date): Promise<void> {
  const status = statusAfter(lead.status, activity)
  if (status) await setStatus(tx, lead, status, { cause: 'activity', now })
}

/** Of several answers the first one counts, also when it is logged last. Nobody answers before there is something to answer. */
async function firstResponse(tx: TenantTx, lead: LeadRow, activity: ActivityRow) {
  const at = latest(activity.occurred_at, lead.created_at)
  if (lead.first_responded_at && lead.first_responded_at <= at) return {}
  const counts = isResponse(activity, false) || (isResponse(activity, true) && (await countsAutomated(tx)))
  return counts ? { first_responded_at: at, first_responder_id: activity.actor_user_id } : {}
}

const countsAutomated = async (tx: TenantTx): Promise<boolean> => (await readCrmSettings(tx)).sla.count_automated

const latest = (known: Date | null, at: Date): Date => (known && known > at ? known : at)
