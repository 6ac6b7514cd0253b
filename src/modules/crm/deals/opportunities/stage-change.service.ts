import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import {
  accountUpdated,
  opportunityLost,
  opportunityReopened,
  opportunityStageChanged,
  opportunityWon,
} from '../../crm.events.ts'
import { lockAccount, updateAccountRow } from '../../people/accounts/accounts.queries.ts'
import { advanceContactStage } from '../../people/contacts/contact-stage.service.ts'
import { lockContacts } from '../../people/contacts/contacts.queries.ts'
import { setLeadStage } from '../../people/lead-records/lead-stage.service.ts'
import { lockLeads } from '../../people/lead-records/leads.queries.ts'
import { stageRank } from '../../records/person-keys/lifecycle.rules.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import type { PipelineStageRow } from '../pipelines/pipelines.rules.ts'
import type { OpportunityRow } from './opportunities.queries.ts'
import { listDealContactIds } from './opportunity-contacts.queries.ts'
import { insertStageChange } from './stage-history.queries.ts'

/** A new stage resets manual overrides of probability and forecast category. */
export function toStageColumns(
  pipelineId: string,
  stage: PipelineStageRow,
  { now, today }: { now: Date; today: string },
) {
  const { key, kind, probability_basis, forecast_category } = stage
  return {
    pipeline_id: pipelineId,
    stage_key: key,
    kind,
    probability_basis,
    probability_overridden: false,
    forecast_category,
    stage_entered_at: now,
    closed_at: kind === 'open' ? null : now,
    ...(kind === 'won' && { close_on: today }),
    ...(kind !== 'lost' && { lost_reason: null, lost_detail: null }),
  }
}

/** Adds the change to the stage history and timeline and emits its event. `before` is null for a new deal. */
export async function recordStageChange(
  tx: TenantTx,
  before: OpportunityRow | null,
  after: OpportunityRow,
  now: Date,
): Promise<void> {
  const [from, to] = [before?.stage_key ?? null, after.stage_key]
  await insertStageChange(tx, {
    id: newId(),
    opportunity_id: after.id,
    from_key: from,
    to_key: to,
    amount_base_minor: after.amount_base_minor,
    close_on: after.close_on,
    actor_user_id: actorOf(tx).userId,
    at: now,
    seconds_in_previous: before && Math.max(0, Math.floor((now.getTime() - before.stage_entered_at.getTime()) / 1_000)),
  })
  if (before)
    await insertSystemActivity(tx, { opportunity_id: after.id }, { type: 'stage_changed', meta: { from, to }, at: now })
  if (after.kind === 'won') {
    const { account_id, amount_base_minor } = after
    await emit(tx, opportunityWon, after, { account_id, amount_base_minor: amount_base_minor! })
  } else if (after.kind === 'lost') {
    await emit(tx, opportunityLost, after, { account_id: after.account_id, lost_reason: after.lost_reason! })
  } else if (before && before.kind !== 'open') await emit(tx, opportunityReopened, after, { from: before.kind })
  else if (before) await emit(tx, opportunityStageChanged, after, { from: before.stage_key, to })
}

/** Advances the lifecycle: contacts of an open deal become opportunities; winning it makes them, the lead and the account customers. */
export async function advanceLinkedRecords(tx: TenantTx, deal: OpportunityRow, now: Date): Promise<void> {
  if (deal.kind === 'lost') return
  if (deal.kind === 'won') {
    await advanceLead(tx, deal.lead_id, now)
    await advanceAccount(tx, deal.account_id)
  }
  await advanceContacts(tx, deal, await listDealContactIds(tx, deal), now)
}

export async function advanceContacts(
  tx: TenantTx,
  { kind }: Pick<OpportunityRow, 'kind'>,
  contactIds: readonly string[],
  now: Date,
): Promise<void> {
  const to = kind === 'won' ? 'customer' : 'opportunity'
  if (kind === 'lost' || !contactIds.length) return
  for (const contact of await lockContacts(tx, contactIds))
    await advanceContactStage(tx, contact, to, { cause: 'deal', now })
}

async function advanceLead(tx: TenantTx, leadId: string | null, now: Date): Promise<void> {
  const [lead] = leadId ? await lockLeads(tx, [leadId]) : []
  if (lead && stageRank('customer') > stageRank(lead.lifecycle_stage))
    await setLeadStage(tx, lead, 'customer', { cause: 'deal', now })
}

/** Only prospects become customers; a partner that buys stays a partner. */
async function advanceAccount(tx: TenantTx, accountId: string): Promise<void> {
  const account = await lockAccount(tx, accountId)
  if (account.type !== 'prospect') return
  const updated = await updateAccountRow(tx, accountId, { type: 'customer' })
  await recordAudit(tx, 'account.updated', { id: accountId, label: account.name, before: account, after: updated })
  await emit(tx, accountUpdated, updated, { changed: ['type'] })
}
