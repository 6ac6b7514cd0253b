import { sql } from 'kysely'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { StageRow } from './pipelines.rules.ts'

const columns = [
  ...(['id', 'name', 'is_default', 'is_active', 'position'] as const),
  ...(['created_at', 'updated_at', 'version'] as const),
] as const
const stageColumns = [
  ...(['key', 'label', 'position', 'kind', 'probability_basis', 'forecast_category', 'is_active'] as const),
] as const

export type PipelineRow = Awaited<ReturnType<typeof listPipelineRows>>[number]
export type StagedPipeline = PipelineRow & { stages: StageRow[] }

export function listPipelineRows(tx: TenantTx) {
  return tx.selectFrom('crm.pipelines').select(columns).orderBy('position').orderBy('name_key').execute()
}

export function findDefaultPipeline(tx: TenantTx): Promise<PipelineRow | undefined> {
  return tx.selectFrom('crm.pipelines').select(columns).where(sql<boolean>`is_default`).executeTakeFirst()
}

/** Until the transaction ends its stages stay as they are, so that a deal can be put into one. */
export async function holdPipeline(tx: TenantTx, id: string): Promise<PipelineRow | undefined> {
  return await tx.selectFrom('crm.pipelines').select(columns).where('id', '=', id).forShare().executeTakeFirst()
}

/** All of them, in one order: which one is the default, and what they are called, is a matter between them. */
export function lockPipelines(tx: TenantTx): Promise<PipelineRow[]> {
  return tx.selectFrom('crm.pipelines').select(columns).orderBy('id').forNoKeyUpdate().execute()
}

export function listStages(tx: TenantTx, pipelineId: string): Promise<StageRow[]> {
  return tx
    .selectFrom('crm.pipeline_stages')
    .select(stageColumns)
    .where('pipeline_id', '=', pipelineId)
    .orderBy('position')
    .execute()
}

export function listAllStages(tx: TenantTx) {
  return tx
    .selectFrom('crm.pipeline_stages')
    .select(['pipeline_id', ...stageColumns])
    .orderBy('pipeline_id')
    .orderBy('position')
    .execute()
}

type PipelineFields = { name: string; is_default: boolean; is_active: boolean; position: number }

/** Nothing if somebody else made the default one at the same moment, or the name is taken. */
export async function insertPipeline(tx: TenantTx, fields: PipelineFields): Promise<PipelineRow | undefined> {
  return await tx
    .insertInto('crm.pipelines')
    .values({ id: newId(), ...fields })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

/** Always counts as a change, for its stages may have changed. */
export function changePipelineFields(tx: TenantTx, id: string, fields: PipelineFields): Promise<PipelineRow> {
  return tx.updateTable('crm.pipelines').set(fields).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
}

export async function unsetDefault(tx: TenantTx): Promise<void> {
  await tx.updateTable('crm.pipelines').set({ is_default: false }).where(sql<boolean>`is_default`).execute()
}

export async function findPipelineIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('crm.pipelines')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return found?.id
}

/** Adds the stages that are new and writes over those there are. */
export async function storeStages(tx: TenantTx, pipelineId: string, stages: readonly StageRow[]): Promise<void> {
  const rows = stages.map((stage) => ({ pipeline_id: pipelineId, ...stage }))
  await tx
    .insertInto('crm.pipeline_stages')
    .values(rows)
    .onConflict((conflict) =>
      conflict.constraint('pipeline_stages_pkey').doUpdateSet(({ ref }) => ({
        label: ref('excluded.label'),
        position: ref('excluded.position'),
        probability_basis: ref('excluded.probability_basis'),
        forecast_category: ref('excluded.forecast_category'),
        is_active: ref('excluded.is_active'),
      })),
    )
    .execute()
}

export async function deleteStages(tx: TenantTx, pipelineId: string, keys: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('crm.pipeline_stages')
    .where('pipeline_id', '=', pipelineId)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
}

/** How many deals are in each of these stages, those that were deleted included: they may come back. */
export async function countDealsIn(tx: TenantTx, pipelineId: string, keys: readonly string[]) {
  const counts = await tx
    .selectFrom('crm.opportunities')
    .select(['stage_key', ({ fn }) => fn.countAll<number>().as('deals')])
    .where('pipeline_id', '=', pipelineId)
    .where('stage_key', '=', sql<string>`any(${keys}::text[])`)
    .groupBy('stage_key')
    .execute()
  return new Map(counts.map(({ stage_key, deals }) => [stage_key, deals]))
}

type Move = { pipelineId: string; from: string; to: StageRow; now: Date }

/** Moves every deal of a stage to another one of its kind, and writes it into their history. */
export async function moveDeals(tx: TenantTx, { pipelineId, from, to, now }: Move): Promise<number> {
  const { rows } = await sql<{ moved: number }>`
    with moving as (
      select id, stage_entered_at as entered_at from crm.opportunities
      where pipeline_id = ${pipelineId} and stage_key = ${from} order by id for no key update
    ), moved as (
      update crm.opportunities as deal
      set stage_key = ${to.key}, stage_entered_at = ${now}, probability_basis = ${to.probability_basis},
        probability_overridden = false, forecast_category = ${to.forecast_category}
      from moving where moving.id = deal.id
      returning deal.id, deal.amount_base_minor, deal.close_on, moving.entered_at
    ), noted as (
      insert into crm.opportunity_stage_history
        (id, opportunity_id, from_key, to_key, amount_base_minor, close_on, actor_user_id, at, seconds_in_previous)
      select gen_random_uuid(), id, ${from}, ${to.key}, amount_base_minor, close_on, ${actorOf(tx).userId}::uuid, ${now},
        greatest(0, extract(epoch from ${now}::timestamptz - entered_at))::bigint
      from moved
    )
    select count(*) as moved from moved
  `.execute(tx)
  return rows[0]!.moved
}
