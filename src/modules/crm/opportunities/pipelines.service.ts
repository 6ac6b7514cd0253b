import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound, unknownReference, versionMismatch } from '#platform/errors'
import {
  changePipelineFields,
  countDealsIn,
  deleteStages,
  findDefaultPipeline,
  findPipelineIdByName,
  holdPipeline,
  insertPipeline,
  listAllStages,
  listPipelineRows,
  listStages,
  lockPipelines,
  moveDeals,
  type PipelineRow,
  type StagedPipeline,
  storeStages,
  unsetDefault,
} from './pipelines.queries.ts'
import { planMoves, readStages, type StageRow, salesPipeline, toRate } from './pipelines.rules.ts'
import type { NewPipeline, Pipeline, WrittenPipeline } from './pipelines.schemas.ts'

const mostPipelines = 50

/** Where deals go that name no pipeline. A workspace has one from the moment somebody asks for it. */
export async function defaultPipeline(tx: TenantTx): Promise<StagedPipeline> {
  const found = (await findDefaultPipeline(tx)) ?? (await layFirstPipeline(tx))
  return { ...found, stages: await listStages(tx, found.id) }
}

/** Of two who come at once the second one waits, and finds what the first one made. */
async function layFirstPipeline(tx: TenantTx): Promise<PipelineRow> {
  const made = await insertPipeline(tx, { name: salesPipeline.name, is_default: true, is_active: true, position: 0 })
  if (!made) return (await findDefaultPipeline(tx))!
  const stages = readStages(salesPipeline.stages)
  await storeStages(tx, made.id, stages)
  await record(tx, 'pipeline.created', { id: made.id, label: made.name, after: { ...made, stages } })
  return made
}

/** The pipeline a deal is put into. Its stages stay as they are until the transaction ends. */
export async function pipelineForDeal(tx: TenantTx, id: string | undefined): Promise<StagedPipeline> {
  const wanted = id ?? (await defaultPipeline(tx)).id
  const pipeline = await holdPipeline(tx, wanted)
  if (!pipeline) throw unknownReference('/pipeline_id', 'pipeline')
  return { ...pipeline, stages: await listStages(tx, pipeline.id) }
}

export async function listPipelines(tx: TenantTx): Promise<{ items: Pipeline[]; total: number }> {
  await defaultPipeline(tx)
  const [pipelines, stages] = [await listPipelineRows(tx), await listAllStages(tx)]
  const items = pipelines.map((pipeline) =>
    toPipeline(
      pipeline,
      stages.filter(({ pipeline_id }) => pipeline_id === pipeline.id),
    ),
  )
  return { items, total: items.length }
}

export async function layPipeline(tx: TenantTx, { stages: written, ...input }: NewPipeline): Promise<Pipeline> {
  const stages = readStages(written)
  await defaultPipeline(tx)
  const others = await lockPipelines(tx)
  if (others.length >= mostPipelines)
    throw conflict('conflict', `A workspace has at most ${mostPipelines} pipelines. Change one that is there.`)
  assertCanBeDefault(input)
  await assertNameIsFree(tx, input.name)
  if (input.is_default) await unsetDefault(tx)

  const last = Math.max(...others.map(({ position }) => position))
  const made = await insertPipeline(tx, { ...input, position: input.position ?? last + 1 })
  if (!made) throw await nameIsTaken(tx, input.name)
  await storeStages(tx, made.id, stages)
  await record(tx, 'pipeline.created', { id: made.id, label: made.name, after: { ...made, stages } })
  return toPipeline(made, stages)
}

type Replacement = { pipeline: WrittenPipeline; expectedVersion?: number; now: Date }

/** The whole document. Deals of a stage that is gone move to the one that is named for them, or the stage cannot go. */
export async function replacePipeline(
  tx: TenantTx,
  id: string,
  { pipeline: { stages: written, move_to = {}, ...input }, expectedVersion, now }: Replacement,
): Promise<Pipeline> {
  const stages = readStages(written)
  const pipeline = (await lockPipelines(tx)).find((one) => one.id === id)
  if (!pipeline) throw notFound('pipeline')
  if (expectedVersion !== undefined && expectedVersion !== pipeline.version) throw versionMismatch()
  assertCanBeDefault(input, pipeline)
  await assertNameIsFree(tx, input.name, id)
  const before = await listStages(tx, id)
  const moves = planMoves(before, stages, move_to)
  await assertNoneStranded(tx, id, moves)

  if (input.is_default && !pipeline.is_default) await unsetDefault(tx)
  const changed = await changePipelineFields(tx, id, { ...input, position: input.position ?? pipeline.position })
  await storeStages(tx, id, stages)
  const moved: Record<string, number> = {}
  for (const { from, to } of moves) if (to) moved[from] = await moveDeals(tx, { pipelineId: id, from, to, now })
  await deleteStages(
    tx,
    id,
    moves.map(({ from }) => from),
  )
  await record(tx, 'pipeline.updated', {
    id,
    label: changed.name,
    before: { ...pipeline, stages: before },
    after: { ...changed, stages, moved_deals: moved },
  })
  return toPipeline(changed, stages)
}

type Moves = ReturnType<typeof planMoves>

async function assertNoneStranded(tx: TenantTx, pipelineId: string, moves: Moves): Promise<void> {
  const leaving = moves.filter(({ to }) => !to).map(({ from }) => from)
  if (!leaving.length) return
  const counts = await countDealsIn(tx, pipelineId, leaving)
  if (counts.size)
    throw conflict('stage_in_use', 'There are deals in a stage that is to go. Say in move_to where they go.', {
      counts: Object.fromEntries(counts),
    })
}

type Standing = { is_default: boolean; is_active: boolean }

function assertCanBeDefault(wanted: Standing, present?: Standing): void {
  if (present?.is_default && !wanted.is_default)
    throw conflict('conflict', 'One pipeline is the default. Make another one the default instead.')
  if (wanted.is_default && !wanted.is_active)
    throw conflict('conflict', 'The default pipeline is active. Make another one the default first.')
}

async function assertNameIsFree(tx: TenantTx, name: string, ownId?: string): Promise<void> {
  const existing = await findPipelineIdByName(tx, name)
  if (existing && existing !== ownId) throw await nameIsTaken(tx, name)
}

async function nameIsTaken(tx: TenantTx, name: string) {
  const existing_id = await findPipelineIdByName(tx, name)
  return conflict('already_exists', 'There is a pipeline of this name already.', { existing_id })
}

export function toPipeline(pipeline: PipelineRow, stages: readonly StageRow[]): Pipeline {
  const shown = stages.map(({ key, label, position, kind, probability_basis, forecast_category, is_active }) => ({
    ...{ key, label, position, kind, forecast_category, is_active },
    probability_rate: toRate(probability_basis),
  }))
  return { ...pipeline, stages: shown as Pipeline['stages'] }
}
