import type { Actor } from '#platform/access'
import { record } from '#platform/audit'
import { dayAt } from '#platform/clock'
import { searchText, type TenantTx } from '#platform/db'
import { conflict, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { holdAccount, lockAnyAccount } from '../accounts/accounts.queries.ts'
import { mergeCustom } from '../changes/real-changes.rules.ts'
import { opportunityCreated } from '../crm.events.ts'
import { assertAssignable } from '../leads/assignment.service.ts'
import { nameKey } from '../persons/person-keys.ts'
import { storeTags } from '../persons/tags.queries.ts'
import { timezoneOf } from '../settings/crm-settings.queries.ts'
import { amountFields } from './amount.service.ts'
import { insertOpportunity, type OpportunityRow } from './opportunities.queries.ts'
import type { NewOpportunity } from './opportunities.schemas.ts'
import { contactExists } from './parties.queries.ts'
import { type StageRow, toBasis } from './pipelines.rules.ts'
import { pipelineForDeal } from './pipelines.service.ts'
import { assertComplete, assertOpenForForecast, chooseStage } from './stage.rules.ts'
import { announceStep, liftParties, stageColumns } from './step.service.ts'

export type DealServices = Pick<Services, 'clock'>
/** A deal that comes of a lead says so; nobody can say it by hand. */
type Opening = NewOpportunity & { lead_id?: string }

/** Opens a deal, or notes one that has ended already. */
export async function openOpportunity(
  tx: TenantTx,
  actor: Actor,
  input: Opening,
  { clock }: DealServices,
): Promise<OpportunityRow> {
  const now = clock.now()
  const today = dayAt(now, await timezoneOf(tx))
  const pipeline = await pipelineForDeal(tx, input.pipeline_id)
  const stage = chooseStage(pipeline, input.stage_key, { isEntering: true })
  const { amount = null, lost_reason = null, lost_detail = null } = input
  assertComplete(stage.kind, { amount, lost_reason, lost_detail })
  assertOpenForForecast(stage, input)
  const account = await requireAccount(tx, input.account_id, stage)
  await assertContact(tx, input.primary_contact_id)
  await assertAssignable(tx, input.owner_id)

  const {
    pipeline_id: _,
    stage_key: __,
    amount: ___,
    probability_rate,
    forecast_category,
    custom = {},
    ...said
  } = input
  const deal = await insertOpportunity(tx, {
    id: newId(),
    ...said,
    ...(await amountFields(tx, amount)),
    ...stageColumns(pipeline.id, stage, { now, today }),
    ...forecastFields(stage, { probability_rate, forecast_category }),
    ...textFields(input.name, account.name),
    custom: JSON.stringify(mergeCustom({}, custom)),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  if (deal.tags.length) await storeTags(tx, 'opportunity', deal.id, deal.tags)
  await record(tx, 'opportunity.created', { id: deal.id, label: deal.name, after: deal })
  await emit(tx, opportunityCreated, deal, { account_id: deal.account_id, stage_key: deal.stage_key })
  await announceStep(tx, null, deal, { now, today })
  await liftParties(tx, deal, now)
  return deal
}

/** Whoever wins a deal with an account changes it, so it is locked for that from the start. */
export async function requireAccount(tx: TenantTx, id: string, { kind }: Pick<StageRow, 'kind'>) {
  const account = kind === 'won' ? await lockAnyAccount(tx, id) : await holdAccount(tx, id)
  if (!account || account.deleted_at !== null) throw unknownReference('/account_id', 'account')
  return account
}

/** An account with open deals is not deleted, so a deal is not opened again while its account is. */
export async function assertAccountIsThere(tx: TenantTx, accountId: string): Promise<void> {
  if (!(await holdAccount(tx, accountId)))
    throw conflict('conflict', 'The account of this deal was deleted. Restore the account first.')
}

export async function assertContact(tx: TenantTx, id: string | null | undefined): Promise<void> {
  if (id && !(await contactExists(tx, id))) throw unknownReference('/primary_contact_id', 'contact')
}

type Said = { probability_rate?: number; forecast_category?: string }

/** What somebody says against the stage. Said as the stage has it, it is no longer against it. */
export function forecastFields(stage: StageRow, { probability_rate, forecast_category }: Said) {
  const basis = probability_rate === undefined ? undefined : toBasis(probability_rate, '/probability_rate')
  return {
    ...(basis !== undefined && {
      probability_basis: basis,
      probability_overridden: basis !== stage.probability_basis,
    }),
    ...(forecast_category !== undefined && { forecast_category }),
  }
}

/** What a deal is sorted and searched by. The text begins with a space, so that the beginning of a word can be asked for. */
export const textFields = (name: string, accountName: string) => ({
  name_key: nameKey(name) ?? name,
  search_text: ` ${searchText(name, accountName)}`,
})
