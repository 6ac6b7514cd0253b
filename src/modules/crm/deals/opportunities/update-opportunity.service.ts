import { assertAssignable, timezoneOf } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { assertVersion, invalid, roleRequired } from '#platform/errors'
import { moneyOf, normalizeMoney } from '#platform/money'
import { emit } from '#platform/outbox'
import { opportunityUpdated } from '../../crm.events.ts'
import { lockLeads } from '../../people/lead-records/leads.queries.ts'
import { checkCustomChanges } from '../../records/custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { changedRecordFields } from '../../records/fields/record.rules.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import { findAccountNames } from '../../records/references/record-names.queries.ts'
import { insertSystemActivity } from '../../records/system-activities/system-activities.queries.ts'
import { listStages, lockPipelineShared } from '../pipelines/pipelines.queries.ts'
import { type PipelineStageRow, toProbabilityRate } from '../pipelines/pipelines.rules.ts'
import { lockPipelineForDeal } from '../pipelines/pipelines.service.ts'
import { toAmountColumns, toCurrentBaseAmount } from './base-amounts.service.ts'
import {
  assertAccountNotDeleted,
  assertPrimaryContact,
  type DealServices,
  lockDealAccount,
  toForecastColumns,
  toSearchColumns,
} from './create-opportunity.service.ts'
import { getOpportunity, lockOpportunity, type OpportunityRow, updateOpportunityRow } from './opportunities.queries.ts'
import type { OpportunityChanges } from './opportunities.schemas.ts'
import {
  assertClosingFields,
  assertForecastEditable,
  assertStageTransition,
  selectStage,
} from './opportunity-stage.rules.ts'
import { advanceContacts, advanceLinkedRecords, recordStageChange, toStageColumns } from './stage-change.service.ts'

type OpportunityUpdate = { changes: OpportunityChanges; expectedVersion?: number }

/** Writes all changes in one update (one new version) and then records the audit entry, events and effects. */
export async function updateOpportunity(
  tx: TenantTx,
  actor: UserActor,
  id: string,
  { changes, expectedVersion }: OpportunityUpdate,
  { clock }: DealServices,
): Promise<OpportunityRow> {
  await lockBeforeDeal(tx, id, changes)
  const deal = await lockOpportunity(tx, id)
  assertVersion(deal, expectedVersion)
  const now = clock.now()
  const custom = changes.custom && (await checkCustomChanges(tx, 'opportunity', changes.custom, now))
  const changed = changedOpportunityFields(deal, { ...changes, ...(custom && { custom }) })
  if (!Object.keys(changed).length) return deal
  const time = { now, today: dayInTimezone(now, await timezoneOf(tx)) }
  const target = await findTarget(tx, deal, changed, changes)
  assertAllowed(actor, deal, { changed, requested: changes, target, today: time.today })
  const columns = await toColumns(tx, deal, changed, { target, ...time })

  const updated = await updateOpportunityRow(tx, id, columns)
  if (changed.custom) await storeCustomValues(tx, 'opportunity', updated)
  if (changed.tags) await replaceTags(tx, 'opportunity', id, changed.tags)
  await recordAudit(tx, 'opportunity.updated', { id, label: updated.name, before: deal, after: updated })
  await emit(tx, opportunityUpdated, updated, { changed: Object.keys(changed) })
  if (changed.owner_id !== undefined) await insertOwnerActivity(tx, deal, updated, now)
  if (target.isStageChange) {
    await recordStageChange(tx, deal, updated, now)
    if (updated.kind !== deal.kind) await advanceLinkedRecords(tx, updated, now)
  }
  if (changed.primary_contact_id && updated.kind === 'open')
    await advanceContacts(tx, updated, [changed.primary_contact_id], now)
  return updated
}

function changedOpportunityFields(
  deal: OpportunityRow,
  { amount, ...changes }: OpportunityChanges,
): OpportunityChanges {
  const before = {
    ...deal,
    amount: moneyOf(deal.amount_minor, deal.amount_currency),
    probability_rate: toProbabilityRate(deal.probability_basis),
  }
  return changedRecordFields(before, {
    ...changes,
    ...(amount !== undefined && { amount: normalizeMoney(amount, '/amount') }),
  })
}

/** Lock order: pipeline, lead, deal (avoids deadlocks). */
async function lockBeforeDeal(tx: TenantTx, id: string, { pipeline_id, stage_key }: OpportunityChanges): Promise<void> {
  if (pipeline_id === undefined && stage_key === undefined) return
  const deal = await getOpportunity(tx, id)
  await lockPipelineShared(tx, pipeline_id ?? deal.pipeline_id)
  if (deal.lead_id) await lockLeads(tx, [deal.lead_id])
}

type ForecastOverrides = Pick<OpportunityChanges, 'probability_rate' | 'forecast_category'>
type Target = {
  pipelineId: string
  stages: readonly PipelineStageRow[]
  stage: PipelineStageRow
  isStageChange: boolean
  overrides: ForecastOverrides
}

/** Without a `stage_key`, a deal that enters another pipeline starts in its first open stage. */
async function findTarget(
  tx: TenantTx,
  deal: OpportunityRow,
  changed: OpportunityChanges,
  requested: OpportunityChanges,
): Promise<Target> {
  if (changed.pipeline_id !== undefined || changed.stage_key !== undefined) {
    const pipeline = await lockPipelineForDeal(tx, changed.pipeline_id ?? deal.pipeline_id)
    const isEntering = changed.pipeline_id !== undefined
    const stage = selectStage(pipeline, isEntering ? requested.stage_key : changed.stage_key, { isEntering })
    return { pipelineId: pipeline.id, stages: pipeline.stages, stage, isStageChange: true, overrides: requested }
  }
  const stages = await listStages(tx, deal.pipeline_id)
  const stage = stages.find(({ key }) => key === deal.stage_key)!
  return { pipelineId: deal.pipeline_id, stages, stage, isStageChange: false, overrides: changed }
}

type UpdatePlan = { changed: OpportunityChanges; requested: OpportunityChanges; target: Target; today: string }

function assertAllowed(
  actor: UserActor,
  deal: OpportunityRow,
  { changed, requested, target, today }: UpdatePlan,
): void {
  const { stage, stages, isStageChange, overrides } = target
  if (isStageChange) assertStageTransition(deal.kind, stage, stages)
  if (deal.kind !== 'open' && stage.kind === 'open') assertMayReopen(actor, deal, requested.close_on, today)
  const leavesLost = deal.kind === 'lost' && stage.kind !== 'lost'
  const kept = leavesLost ? { lost_reason: null, lost_detail: null } : deal
  const after = { amount: deal.amount_minor, ...kept, ...changed }
  assertClosingFields(stage.kind, {
    amount: after.amount,
    lost_reason: after.lost_reason,
    lost_detail: after.lost_detail,
  })
  assertForecastEditable(stage, overrides)
}

/** Closed deals are part of reported revenue, so only the owner or a manager may reopen one. */
function assertMayReopen(actor: UserActor, deal: OpportunityRow, closeOn: string | undefined, today: string): void {
  if (!isManagerOrAdmin(actor.role) && (deal.owner_id ?? deal.created_by) !== actor.userId)
    throw roleRequired('Only managers and the owner of the deal can reopen it.')
  if (closeOn === undefined) throw invalid('body', '/close_on', 'required', '`close_on` is required to reopen a deal.')
  if (closeOn < today)
    throw invalid('body', '/close_on', 'past', '`close_on` of a reopened deal must not be in the past.')
}

type UpdateContext = { target: Target; now: Date; today: string }

async function toColumns(tx: TenantTx, deal: OpportunityRow, changed: OpportunityChanges, context: UpdateContext) {
  const { target, now, today } = context
  const { stage, pipelineId, isStageChange, overrides } = target
  const {
    amount,
    custom,
    pipeline_id: _,
    stage_key: __,
    probability_rate: ___,
    forecast_category: ____,
    ...rest
  } = changed
  await assertAssignable(tx, changed.owner_id)
  if (changed.account_id || (isStageChange && stage.kind === 'won'))
    await lockDealAccount(tx, changed.account_id ?? deal.account_id, stage)
  await assertPrimaryContact(tx, changed.primary_contact_id)
  const isReopened = deal.kind !== 'open' && stage.kind === 'open'
  if (isReopened && !changed.account_id) await assertAccountNotDeleted(tx, deal.account_id)
  return {
    ...rest,
    ...(isStageChange && toStageColumns(pipelineId, stage, { now, today })),
    ...toForecastColumns(stage, overrides),
    ...(amount !== undefined && (await toAmountColumns(tx, amount))),
    // The base amount was frozen when the deal closed; recalculate it at current rates.
    ...(isReopened && amount === undefined && (await toCurrentBaseAmount(tx, deal))),
    ...((changed.name || changed.account_id) && (await toUpdatedSearchColumns(tx, { ...deal, ...rest }))),
    ...(custom && { custom: JSON.stringify(custom) }),
  }
}

async function toUpdatedSearchColumns(tx: TenantTx, { name, account_id }: Pick<OpportunityRow, 'name' | 'account_id'>) {
  return toSearchColumns(name, (await findAccountNames(tx, [account_id])).get(account_id) ?? '')
}

async function insertOwnerActivity(
  tx: TenantTx,
  before: OpportunityRow,
  after: OpportunityRow,
  now: Date,
): Promise<void> {
  const meta = { from: before.owner_id, to: after.owner_id }
  await insertSystemActivity(tx, { opportunity_id: after.id }, { type: 'owner_changed', meta, at: now })
}
