import { assertAssignable, timezoneOf } from '#modules/identity'
import type { Actor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import { type TenantTx, toSearchText } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { opportunityCreated } from '../../crm.events.ts'
import { lockAccountIncludingDeleted } from '../../people/accounts/accounts.queries.ts'
import { checkNewCustomValues } from '../../records/custom-values/check-custom-values.service.ts'
import { storeCustomValues } from '../../records/custom-values/store-custom-values.service.ts'
import { replaceTags } from '../../records/fields/tags.queries.ts'
import { nameKey } from '../../records/person-keys/person-keys.ts'
import { lockAccountShared } from '../../records/references/record-names.queries.ts'
import { type PipelineStageRow, toBasisPoints } from '../pipelines/pipelines.rules.ts'
import { lockPipelineForDeal } from '../pipelines/pipelines.service.ts'
import { toAmountColumns } from './base-amounts.service.ts'
import { insertOpportunity, type OpportunityRow } from './opportunities.queries.ts'
import type { NewOpportunity } from './opportunities.schemas.ts'
import { lockContactExists } from './opportunity-contacts.queries.ts'
import { assertClosingFields, assertForecastEditable, selectStage } from './opportunity-stage.rules.ts'
import { advanceLinkedRecords, recordStageChange, toStageColumns } from './stage-change.service.ts'

export type DealServices = Pick<Services, 'clock'>
/** `lead_id` is set by lead conversion only; it is not part of the API. */
type CreateOpportunityInput = NewOpportunity & { lead_id?: string }

export async function createOpportunity(
  tx: TenantTx,
  actor: Actor,
  input: CreateOpportunityInput,
  { clock }: DealServices,
): Promise<OpportunityRow> {
  const now = clock.now()
  const today = dayInTimezone(now, await timezoneOf(tx))
  const pipeline = await lockPipelineForDeal(tx, input.pipeline_id)
  const stage = selectStage(pipeline, input.stage_key, { isEntering: true })
  const { amount = null, lost_reason = null, lost_detail = null } = input
  assertClosingFields(stage.kind, { amount, lost_reason, lost_detail })
  assertForecastEditable(stage, input)
  const account = await lockDealAccount(tx, input.account_id, stage)
  await assertPrimaryContact(tx, input.primary_contact_id)
  await assertAssignable(tx, input.owner_id)

  const {
    pipeline_id: _,
    stage_key: __,
    amount: ___,
    probability_rate,
    forecast_category,
    custom: requestedCustom,
    ...columns
  } = input
  const mayOmitRequired = input.lead_id !== undefined
  const custom = await checkNewCustomValues(tx, 'opportunity', requestedCustom, { now, mayOmitRequired })
  const deal = await insertOpportunity(tx, {
    id: newId(),
    ...columns,
    ...(await toAmountColumns(tx, amount)),
    ...toStageColumns(pipeline.id, stage, { now, today }),
    ...toForecastColumns(stage, { probability_rate, forecast_category }),
    ...toSearchColumns(input.name, account.name),
    custom: JSON.stringify(custom),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  await storeCustomValues(tx, 'opportunity', deal)
  if (deal.tags.length) await replaceTags(tx, 'opportunity', deal.id, deal.tags)
  await recordAudit(tx, 'opportunity.created', { id: deal.id, label: deal.name, after: deal })
  await emit(tx, opportunityCreated, deal, { account_id: deal.account_id, stage_key: deal.stage_key })
  await recordStageChange(tx, null, deal, now)
  await advanceLinkedRecords(tx, deal, now)
  return deal
}

/** Winning a deal updates its account, so lock the row for update from the start. */
export async function lockDealAccount(tx: TenantTx, id: string, { kind }: Pick<PipelineStageRow, 'kind'>) {
  const account = kind === 'won' ? await lockAccountIncludingDeleted(tx, id) : await lockAccountShared(tx, id)
  if (!account || account.deleted_at !== null) throw unknownReference('/account_id', 'account')
  return account
}

/** An account with open deals cannot be deleted, so a deal of a deleted account cannot be reopened or restored. */
export async function assertAccountNotDeleted(tx: TenantTx, accountId: string): Promise<void> {
  if (!(await lockAccountShared(tx, accountId)))
    throw conflict('conflict', 'The account of this deal was deleted. Restore the account first.')
}

export async function assertPrimaryContact(tx: TenantTx, id: string | null | undefined): Promise<void> {
  if (id && !(await lockContactExists(tx, id))) throw unknownReference('/primary_contact_id', 'contact')
}

type ForecastOverrides = { probability_rate?: number; forecast_category?: string }

/** Manual overrides. A value equal to the stage's default clears the override. */
export function toForecastColumns(stage: PipelineStageRow, { probability_rate, forecast_category }: ForecastOverrides) {
  const basis = probability_rate === undefined ? undefined : toBasisPoints(probability_rate, '/probability_rate')
  return {
    ...(basis !== undefined && {
      probability_basis: basis,
      probability_overridden: basis !== stage.probability_basis,
    }),
    ...(forecast_category !== undefined && { forecast_category }),
  }
}

/** `search_text` starts with a space, so that a search can match the start of a word. */
export const toSearchColumns = (name: string, accountName: string) => ({
  name_key: nameKey(name) ?? name,
  search_text: ` ${toSearchText(name, accountName)}`,
})
