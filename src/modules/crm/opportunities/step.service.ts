import { record } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { changeAccountFields, lockAccount } from '../accounts/accounts.queries.ts'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { raiseContactStage } from '../contacts/contact-stage.service.ts'
import { lockContacts } from '../contacts/contacts.queries.ts'
import {
  accountUpdated,
  opportunityLost,
  opportunityReopened,
  opportunityStageChanged,
  opportunityWon,
} from '../crm.events.ts'
import { lockLeads } from '../leads/leads.queries.ts'
import { setStage } from '../leads/stage.service.ts'
import { stageRank } from '../persons/life-cycle.rules.ts'
import { peopleOf } from './deal-contacts.queries.ts'
import { insertStep } from './history.queries.ts'
import type { OpportunityRow } from './opportunities.queries.ts'
import type { StageRow } from './pipelines.rules.ts'

type When = { now: Date; today: string }

/** The columns a deal gets with its stage. What somebody had set against the stage is dropped. */
export function stageColumns(pipelineId: string, stage: StageRow, { now, today }: When) {
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

/** Writes a step into the history of the deal and tells everybody. A new deal comes from nowhere. */
export async function announceStep(
  tx: TenantTx,
  before: OpportunityRow | null,
  after: OpportunityRow,
  { now }: When,
): Promise<void> {
  const [from, to] = [before?.stage_key ?? null, after.stage_key]
  await insertStep(tx, {
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
    await noteSystemActivity(tx, { opportunity_id: after.id }, { type: 'stage_changed', meta: { from, to }, at: now })
  if (after.kind === 'won') {
    const { account_id, amount_base_minor } = after
    await emit(tx, opportunityWon, after, { account_id, amount_base_minor: amount_base_minor! })
  } else if (after.kind === 'lost') {
    await emit(tx, opportunityLost, after, { account_id: after.account_id, lost_reason: after.lost_reason! })
  } else if (before && before.kind !== 'open') await emit(tx, opportunityReopened, after, { from: before.kind })
  else if (before) await emit(tx, opportunityStageChanged, after, { from: before.stage_key, to })
}

/** What a deal does to those it is made with: whoever has one open is an opportunity, whoever bought is a customer. */
export async function liftParties(tx: TenantTx, deal: OpportunityRow, now: Date): Promise<void> {
  if (deal.kind === 'lost') return
  if (deal.kind === 'won') {
    await liftLead(tx, deal.lead_id, now)
    await liftAccount(tx, deal.account_id)
  }
  await liftContacts(tx, deal, await peopleOf(tx, deal), now)
}

export async function liftContacts(
  tx: TenantTx,
  { kind }: Pick<OpportunityRow, 'kind'>,
  contactIds: readonly string[],
  now: Date,
): Promise<void> {
  const to = kind === 'won' ? 'customer' : 'opportunity'
  if (kind === 'lost' || !contactIds.length) return
  for (const contact of await lockContacts(tx, contactIds))
    await raiseContactStage(tx, contact, to, { cause: 'deal', now })
}

async function liftLead(tx: TenantTx, leadId: string | null, now: Date): Promise<void> {
  const [lead] = leadId ? await lockLeads(tx, [leadId]) : []
  if (lead && stageRank('customer') > stageRank(lead.lifecycle_stage))
    await setStage(tx, lead, 'customer', { cause: 'deal', now })
}

/** Only who is a prospect becomes a customer: a partner who buys is still a partner. */
async function liftAccount(tx: TenantTx, accountId: string): Promise<void> {
  const account = await lockAccount(tx, accountId)
  if (account.type !== 'prospect') return
  const changed = await changeAccountFields(tx, accountId, { type: 'customer' })
  await record(tx, 'account.updated', { id: accountId, label: account.name, before: account, after: changed })
  await emit(tx, accountUpdated, changed, { changed: ['type'] })
}
