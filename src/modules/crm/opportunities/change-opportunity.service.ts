import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { invalid, roleRequired, versionMismatch } from '#platform/errors'
import { moneyOf } from '#platform/money'
import { emit } from '#platform/outbox'
import { namesOfAccounts } from '../accounts/accounts.queries.ts'
import { noteSystemActivity } from '../activities/system-activities.queries.ts'
import { asShown, realChanges } from '../changes/real-changes.rules.ts'
import { opportunityUpdated } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { lockLeads } from '../leads/leads.queries.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { timezoneOf } from '../settings/crm-settings.queries.ts'
import { amountFields } from './amount.service.ts'
import {
  assertAccountIsThere,
  assertContact,
  type DealServices,
  forecastFields,
  requireAccount,
  textFields,
} from './open-opportunity.service.ts'
import {
  changeOpportunityFields,
  getOpportunity,
  lockOpportunity,
  type OpportunityRow,
} from './opportunities.queries.ts'
import type { OpportunityChanges } from './opportunities.schemas.ts'
import { holdPipeline, listStages } from './pipelines.queries.ts'
import { type StageRow, toRate } from './pipelines.rules.ts'
import { pipelineForDeal } from './pipelines.service.ts'
import { currentBase } from './rebase.service.ts'
import { assertComplete, assertOpenForForecast, assertStep, chooseStage } from './stage.rules.ts'
import { announceStep, liftContacts, liftParties, stageColumns } from './step.service.ts'

type Change = { changes: OpportunityChanges; expectedVersion?: number }

/** One change, one version: a new stage and all it brings are written together and told one by one. */
export async function changeOpportunity(
  tx: TenantTx,
  actor: SignedIn,
  id: string,
  { changes, expectedVersion }: Change,
  { clock }: DealServices,
): Promise<OpportunityRow> {
  await holdTarget(tx, id, changes)
  const deal = await lockOpportunity(tx, id)
  if (expectedVersion !== undefined && expectedVersion !== deal.version) throw versionMismatch()
  const asked = changesOf(deal, changes)
  if (!Object.keys(asked).length) return deal
  const now = clock.now()
  const when = { now, today: dayAt(now, await timezoneOf(tx)) }
  const target = await targetOf(tx, deal, asked, changes)
  assertAllowed(actor, deal, { asked, given: changes, target, today: when.today })
  const columns = await columnsOf(tx, deal, asked, { target, ...when })

  const changed = await changeOpportunityFields(tx, id, columns)
  if (asked.tags) await storeTags(tx, 'opportunity', id, asked.tags)
  await record(tx, 'opportunity.updated', { id, label: changed.name, before: deal, after: changed })
  await emit(tx, opportunityUpdated, changed, { changed: Object.keys(asked) })
  if (asked.owner_id !== undefined) await noteOwner(tx, deal, changed, now)
  if (target.isStep) {
    await announceStep(tx, deal, changed, when)
    if (changed.kind !== deal.kind) await liftParties(tx, changed, now)
  }
  if (asked.primary_contact_id && changed.kind === 'open')
    await liftContacts(tx, changed, [asked.primary_contact_id], now)
  return changed
}

function changesOf(deal: OpportunityRow, { amount, ...changes }: OpportunityChanges): OpportunityChanges {
  const before = {
    ...deal,
    amount: moneyOf(deal.amount_minor, deal.amount_currency),
    probability_rate: toRate(deal.probability_basis),
  }
  return realChanges(before, { ...changes, ...(amount !== undefined && { amount: asShown(amount, '/amount') }) })
}

/** A pipeline and a lead are locked ahead of their deals, by everybody, so that nobody waits in a circle. */
async function holdTarget(tx: TenantTx, id: string, { pipeline_id, stage_key }: OpportunityChanges): Promise<void> {
  if (pipeline_id === undefined && stage_key === undefined) return
  const deal = await getOpportunity(tx, id)
  await holdPipeline(tx, pipeline_id ?? deal.pipeline_id)
  if (deal.lead_id) await lockLeads(tx, [deal.lead_id])
}

type Said = Pick<OpportunityChanges, 'probability_rate' | 'forecast_category'>
type Target = { pipelineId: string; stages: readonly StageRow[]; stage: StageRow; isStep: boolean; said: Said }

/** Where the deal is to be, and what is said against the stage. In another pipeline it starts over, unless a stage is named. */
async function targetOf(
  tx: TenantTx,
  deal: OpportunityRow,
  asked: OpportunityChanges,
  given: OpportunityChanges,
): Promise<Target> {
  if (asked.pipeline_id !== undefined || asked.stage_key !== undefined) {
    const pipeline = await pipelineForDeal(tx, asked.pipeline_id ?? deal.pipeline_id)
    const isEntering = asked.pipeline_id !== undefined
    const stage = chooseStage(pipeline, isEntering ? given.stage_key : asked.stage_key, { isEntering })
    return { pipelineId: pipeline.id, stages: pipeline.stages, stage, isStep: true, said: given }
  }
  const stages = await listStages(tx, deal.pipeline_id)
  const stage = stages.find(({ key }) => key === deal.stage_key)!
  return { pipelineId: deal.pipeline_id, stages, stage, isStep: false, said: asked }
}

type Plan = { asked: OpportunityChanges; given: OpportunityChanges; target: Target; today: string }

function assertAllowed(actor: SignedIn, deal: OpportunityRow, { asked, given, target, today }: Plan): void {
  const { stage, stages, isStep, said } = target
  if (isStep) assertStep(deal.kind, stage, stages)
  if (deal.kind !== 'open' && stage.kind === 'open') assertMayReopen(actor, deal, given.close_on, today)
  const hasLeftLost = deal.kind === 'lost' && stage.kind !== 'lost'
  const kept = hasLeftLost ? { lost_reason: null, lost_detail: null } : deal
  const after = { amount: deal.amount_minor, ...kept, ...asked }
  assertComplete(stage.kind, { amount: after.amount, lost_reason: after.lost_reason, lost_detail: after.lost_detail })
  assertOpenForForecast(stage, said)
}

/** What has ended stands in the figures, so not everybody may take it out of them. */
function assertMayReopen(actor: SignedIn, deal: OpportunityRow, closeOn: string | undefined, today: string): void {
  const isManager = actor.role === 'admin' || actor.role === 'manager'
  if (!isManager && (deal.owner_id ?? deal.created_by) !== actor.userId)
    throw roleRequired('Only managers, and whoever owns the deal, may open it again.')
  if (closeOn === undefined)
    throw invalid('body', '/close_on', 'required', 'Say when the deal is expected to close now.')
  if (closeOn < today)
    throw invalid('body', '/close_on', 'past', 'The deal is open again, so it closes today or later.')
}

type Circumstances = { target: Target; now: Date; today: string }

async function columnsOf(tx: TenantTx, deal: OpportunityRow, asked: OpportunityChanges, circumstances: Circumstances) {
  const { target, now, today } = circumstances
  const { stage, pipelineId, isStep, said } = target
  const {
    amount,
    custom,
    pipeline_id: _,
    stage_key: __,
    probability_rate: ___,
    forecast_category: ____,
    ...rest
  } = asked
  await assertAssignable(tx, asked.owner_id)
  if (asked.account_id || (isStep && stage.kind === 'won'))
    await requireAccount(tx, asked.account_id ?? deal.account_id, stage)
  await assertContact(tx, asked.primary_contact_id)
  const isReopened = deal.kind !== 'open' && stage.kind === 'open'
  if (isReopened && !asked.account_id) await assertAccountIsThere(tx, deal.account_id)
  return {
    ...rest,
    ...(isStep && stageColumns(pipelineId, stage, { now, today })),
    ...forecastFields(stage, said),
    ...(amount !== undefined && (await amountFields(tx, amount))),
    // Its worth stood still while it had ended; from now on it follows the rates again.
    ...(isReopened && amount === undefined && (await currentBase(tx, deal))),
    ...((asked.name || asked.account_id) && (await textAfter(tx, { ...deal, ...rest }))),
    ...(custom && { custom: JSON.stringify(custom) }),
  }
}

async function textAfter(tx: TenantTx, { name, account_id }: Pick<OpportunityRow, 'name' | 'account_id'>) {
  return textFields(name, (await namesOfAccounts(tx, [account_id])).get(account_id) ?? '')
}

async function noteOwner(tx: TenantTx, before: OpportunityRow, after: OpportunityRow, now: Date): Promise<void> {
  const meta = { from: before.owner_id, to: after.owner_id }
  await noteSystemActivity(tx, { opportunity_id: after.id }, { type: 'owner_changed', meta, at: now })
}
