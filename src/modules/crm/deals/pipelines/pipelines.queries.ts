import { sql } from 'kysely'
import { actorOf, selectRows, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { PipelineStageRow } from './pipelines.rules.ts'

const pipelineColumns = [
  'id',
  'name',
  'is_default',
  'is_active',
  'position',
  'created_at',
  'updated_at',
  'version',
] as const
const stageColumns = [
  'key',
  'label',
  'position',
  'kind',
  'probability_basis',
  'forecast_category',
  'is_active',
] as const

export type PipelineRow = Awaited<ReturnType<typeof listPipelineRows>>[number]
export type PipelineWithStages = PipelineRow & { stages: PipelineStageRow[] }

export function listPipelineRows(tx: TenantTx) {
  return tx.selectFrom('crm.pipelines').select(pipelineColumns).orderBy('position').orderBy('name_key').execute()
}

export function findDefaultPipeline(tx: TenantTx): Promise<PipelineRow | undefined> {
  return tx.selectFrom('crm.pipelines').select(pipelineColumns).where(sql<boolean>`is_default`).executeTakeFirst()
}

export function findPipeline(tx: TenantTx, id: string): Promise<PipelineRow | undefined> {
  return tx.selectFrom('crm.pipelines').select(pipelineColumns).where('id', '=', id).executeTakeFirst()
}

/** Keeps the stages unchanged until the transaction ends. */
export async function lockPipelineShared(tx: TenantTx, id: string): Promise<PipelineRow | undefined> {
  return await tx.selectFrom('crm.pipelines').select(pipelineColumns).where('id', '=', id).forShare().executeTakeFirst()
}

/** Locks all pipelines, because the default flag and the names are checked across all of them. Ordered by id to avoid deadlocks. */
export function lockPipelines(tx: TenantTx): Promise<PipelineRow[]> {
  return tx.selectFrom('crm.pipelines').select(pipelineColumns).orderBy('id').forNoKeyUpdate().execute()
}

export function listStages(tx: TenantTx, pipelineId: string): Promise<PipelineStageRow[]> {
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

/** Returns undefined if the name is taken or a concurrent transaction created the default pipeline. */
export async function insertPipeline(tx: TenantTx, fields: PipelineFields): Promise<PipelineRow | undefined> {
  return await tx
    .insertInto('crm.pipelines')
    .values({ id: newId(), ...fields })
    .onConflict((conflict) => conflict.doNothing())
    .returning(pipelineColumns)
    .executeTakeFirst()
}

/** Always writes, because changed stages must increase the version too. */
export function updatePipelineRow(tx: TenantTx, id: string, fields: PipelineFields): Promise<PipelineRow> {
  return tx
    .updateTable('crm.pipelines')
    .set(fields)
    .where('id', '=', id)
    .returning(pipelineColumns)
    .executeTakeFirstOrThrow()
}

export async function clearDefaultPipeline(tx: TenantTx): Promise<void> {
  await tx.updateTable('crm.pipelines').set({ is_default: false }).where(sql<boolean>`is_default`).execute()
}

export async function findPipelineIdByName(tx: TenantTx, name: string): Promise<string | undefined> {
  const pipeline = await tx
    .selectFrom('crm.pipelines')
    .select('id')
    .where('name_key', '=', sql<string>`lower(${name})`)
    .executeTakeFirst()
  return pipeline?.id
}

export async function upsertStages(
  tx: TenantTx,
  pipelineId: string,
  stages: readonly PipelineStageRow[],
): Promise<void> {
  const { columns, rows } = selectRows(
    stages.map((stage) => ({ pipeline_id: pipelineId, ...stage })),
    {
      pipeline_id: 'uuid',
      key: 'text',
      label: 'text',
      position: 'integer',
      kind: 'text',
      probability_basis: 'integer',
      forecast_category: 'text',
      is_active: 'boolean',
    },
  )
  await tx
    .insertInto('crm.pipeline_stages')
    .columns(columns)
    .expression(rows)
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

export async function deleteStageRows(tx: TenantTx, pipelineId: string, keys: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('crm.pipeline_stages')
    .where('pipeline_id', '=', pipelineId)
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
}

/** Includes deleted deals, because they can be restored. */
export async function countDealsByStage(tx: TenantTx, pipelineId: string, keys: readonly string[]) {
  const counts = await tx
    .selectFrom('crm.opportunities')
    .select(['stage_key', ({ fn }) => fn.countAll<number>().as('deals')])
    .where('pipeline_id', '=', pipelineId)
    .where('stage_key', '=', sql<string>`any(${keys}::text[])`)
    .groupBy('stage_key')
    .execute()
  return new Map(counts.map(({ stage_key, deals }) => [stage_key, deals]))
}

type DealMove = { pipelineId: string; from: string; to: PipelineStageRow; now: Date }

/** Moves all deals of a stage, including deleted ones, and adds the change to their stage history. */
export async function moveDealsToStage(tx: TenantTx, { pipelineId, from, to, now }: DealMove): Promise<number> {
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
    ), history as (
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
