import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, conflict, notFound, unknownReference } from '#platform/errors'
import {
  clearDefaultPipeline,
  countDealsByStage,
  deleteStageRows,
  findDefaultPipeline,
  findPipeline,
  findPipelineIdByName,
  insertPipeline,
  listAllStages,
  listPipelineRows,
  listStages,
  lockPipelineShared,
  lockPipelines,
  moveDealsToStage,
  type PipelineRow,
  type PipelineWithStages,
  updatePipelineRow,
  upsertStages,
} from './pipelines.queries.ts'
import {
  initialPipeline,
  type PipelineStageRow,
  parseStages,
  planDealMoves,
  toProbabilityRate,
} from './pipelines.rules.ts'
import type { NewPipeline, Pipeline, PipelineReplacement } from './pipelines.schemas.ts'

const maxPipelines = 50

export async function ensureDefaultPipeline(tx: TenantTx): Promise<PipelineWithStages> {
  const pipeline = (await findDefaultPipeline(tx)) ?? (await createInitialPipeline(tx))
  return { ...pipeline, stages: await listStages(tx, pipeline.id) }
}

export async function findPipelineWithStages(tx: TenantTx, id: string): Promise<PipelineWithStages | undefined> {
  const [pipeline, stages] = await Promise.all([findPipeline(tx, id), listStages(tx, id)])
  return pipeline && { ...pipeline, stages }
}

/** The insert waits for a concurrent one and then returns nothing; the other pipeline is used. */
async function createInitialPipeline(tx: TenantTx): Promise<PipelineRow> {
  const pipeline = await insertPipeline(tx, {
    name: initialPipeline.name,
    is_default: true,
    is_active: true,
    position: 0,
  })
  if (!pipeline) return (await findDefaultPipeline(tx))!
  const stages = parseStages(initialPipeline.stages)
  await upsertStages(tx, pipeline.id, stages)
  await recordAudit(tx, 'pipeline.created', { id: pipeline.id, label: pipeline.name, after: { ...pipeline, stages } })
  return pipeline
}

export async function lockPipelineForDeal(tx: TenantTx, id: string | undefined): Promise<PipelineWithStages> {
  const pipeline = await lockPipelineShared(tx, id ?? (await ensureDefaultPipeline(tx)).id)
  if (!pipeline) throw unknownReference('/pipeline_id', 'pipeline')
  return { ...pipeline, stages: await listStages(tx, pipeline.id) }
}

export async function listPipelines(tx: TenantTx): Promise<{ items: Pipeline[]; total: number }> {
  await ensureDefaultPipeline(tx)
  const [pipelines, stages] = [await listPipelineRows(tx), await listAllStages(tx)]
  const items = pipelines.map((pipeline) =>
    toPipeline(
      pipeline,
      stages.filter(({ pipeline_id }) => pipeline_id === pipeline.id),
    ),
  )
  return { items, total: items.length }
}

export async function createPipeline(tx: TenantTx, { stages: stageInputs, ...input }: NewPipeline): Promise<Pipeline> {
  const stages = parseStages(stageInputs)
  await ensureDefaultPipeline(tx)
  const others = await lockPipelines(tx)
  if (others.length >= maxPipelines)
    throw conflict(
      'conflict',
      `A workspace cannot have more than ${maxPipelines} pipelines. Change an existing one instead.`,
    )
  assertCanBeDefault(input)
  await assertPipelineNameUnused(tx, input.name)
  if (input.is_default) await clearDefaultPipeline(tx)

  const lastPosition = Math.max(...others.map(({ position }) => position))
  const pipeline = await insertPipeline(tx, { ...input, position: input.position ?? lastPosition + 1 })
  if (!pipeline) throw await pipelineNameConflict(tx, input.name)
  await upsertStages(tx, pipeline.id, stages)
  await recordAudit(tx, 'pipeline.created', { id: pipeline.id, label: pipeline.name, after: { ...pipeline, stages } })
  return toPipeline(pipeline, stages)
}

type ReplacePipelineInput = { pipeline: PipelineReplacement; expectedVersion?: number; now: Date }

export async function replacePipeline(
  tx: TenantTx,
  id: string,
  { pipeline: { stages: stageInputs, move_to = {}, ...input }, expectedVersion, now }: ReplacePipelineInput,
): Promise<Pipeline> {
  const stages = parseStages(stageInputs)
  const pipeline = (await lockPipelines(tx)).find((pipeline) => pipeline.id === id)
  if (!pipeline) throw notFound('pipeline')
  assertVersion(pipeline, expectedVersion)
  assertCanBeDefault(input, pipeline)
  await assertPipelineNameUnused(tx, input.name, id)
  const before = await listStages(tx, id)
  const moves = planDealMoves(before, stages, move_to)
  await assertRemovedStagesEmpty(tx, id, moves)

  if (input.is_default && !pipeline.is_default) await clearDefaultPipeline(tx)
  const changed = await updatePipelineRow(tx, id, { ...input, position: input.position ?? pipeline.position })
  await upsertStages(tx, id, stages)
  const moved: Record<string, number> = {}
  for (const { from, to } of moves) if (to) moved[from] = await moveDealsToStage(tx, { pipelineId: id, from, to, now })
  await deleteStageRows(
    tx,
    id,
    moves.map(({ from }) => from),
  )
  await recordAudit(tx, 'pipeline.updated', {
    id,
    label: changed.name,
    before: { ...pipeline, stages: before },
    after: { ...changed, stages, moved_deals: moved },
  })
  return toPipeline(changed, stages)
}

type DealMoves = ReturnType<typeof planDealMoves>

async function assertRemovedStagesEmpty(tx: TenantTx, pipelineId: string, moves: DealMoves): Promise<void> {
  const removedKeys = moves.filter(({ to }) => !to).map(({ from }) => from)
  if (!removedKeys.length) return
  const counts = await countDealsByStage(tx, pipelineId, removedKeys)
  if (counts.size)
    throw conflict('stage_in_use', 'A removed stage still has deals. Set `move_to` for it.', {
      counts: Object.fromEntries(counts),
    })
}

type PipelineFlags = { is_default: boolean; is_active: boolean }

function assertCanBeDefault(after: PipelineFlags, before?: PipelineFlags): void {
  if (before?.is_default && !after.is_default)
    throw conflict('conflict', 'A workspace needs a default pipeline. Make another one the default instead.')
  if (after.is_default && !after.is_active)
    throw conflict('conflict', 'The default pipeline cannot be deactivated. Make another pipeline the default first.')
}

async function assertPipelineNameUnused(tx: TenantTx, name: string, ownId?: string): Promise<void> {
  const existing = await findPipelineIdByName(tx, name)
  if (existing && existing !== ownId) throw await pipelineNameConflict(tx, name)
}

async function pipelineNameConflict(tx: TenantTx, name: string) {
  const existing_id = await findPipelineIdByName(tx, name)
  return conflict('already_exists', 'A pipeline with this name already exists.', { existing_id })
}

function toPipeline(pipeline: PipelineRow, stages: readonly PipelineStageRow[]): Pipeline {
  const stageItems = stages.map(({ key, label, position, kind, probability_basis, forecast_category, is_active }) => ({
    key,
    label,
    position,
    kind,
    forecast_category,
    is_active,
    probability_rate: toProbabilityRate(probability_basis),
  }))
  return { ...pipeline, stages: stageItems as Pipeline['stages'] }
}
