import { conflict, invalid, invalidTransition, unknownReference } from '#platform/errors'
import { type PipelineStageRow, toProbabilityRate } from '../pipelines/pipelines.rules.ts'

type PipelineStages = { is_active: boolean; stages: readonly PipelineStageRow[] }

/** Defaults to the first open stage. A deal already in an inactive pipeline may keep moving within it. */
export function selectStage(
  { is_active, stages }: PipelineStages,
  key: string | undefined,
  { isEntering }: { isEntering: boolean },
): PipelineStageRow {
  if (isEntering && !is_active)
    throw invalid('body', '/pipeline_id', 'inactive', '`pipeline_id` must refer to an active pipeline.')
  if (key === undefined) return stages.find(({ kind, is_active }) => kind === 'open' && is_active)!
  const stage = stages.find((candidate) => candidate.key === key)
  if (!stage) throw unknownReference('/stage_key', 'stage of the pipeline')
  if (!stage.is_active) throw invalid('body', '/stage_key', 'inactive', '`stage_key` must refer to an active stage.')
  return stage
}

export function assertStageTransition(from: string, to: PipelineStageRow, stages: readonly PipelineStageRow[]): void {
  if (from === 'open' || to.kind === 'open') return
  const allowed = stages.filter(({ kind, is_active }) => kind === 'open' && is_active).map(({ key }) => key)
  throw invalidTransition('A closed deal must be reopened before it can move to another closed stage.', {
    from,
    to: to.kind,
    allowed,
  })
}

type ClosingFields = { amount: unknown; lost_reason: unknown; lost_detail: unknown }

export function assertClosingFields(kind: string, { amount, lost_reason, lost_detail }: ClosingFields): void {
  if (kind === 'won' && amount === null)
    throw invalid('body', '/amount', 'required', '`amount` is required for a won deal.')
  if (kind === 'lost' && lost_reason === null)
    throw invalid('body', '/lost_reason', 'required', '`lost_reason` is required for a lost deal.')
  if (kind === 'lost') return
  const unexpected = lost_reason !== null ? 'lost_reason' : lost_detail !== null ? 'lost_detail' : undefined
  if (unexpected)
    throw invalid('body', `/${unexpected}`, 'unexpected', `\`${unexpected}\` is only allowed for lost deals.`)
}

export function assertForecastEditable(
  { kind, probability_basis, forecast_category }: PipelineStageRow,
  overrides: { probability_rate?: number; forecast_category?: string },
): void {
  const {
    probability_rate: rate = toProbabilityRate(probability_basis),
    forecast_category: category = forecast_category,
  } = overrides
  if (kind === 'open' || (rate === toProbabilityRate(probability_basis) && category === forecast_category)) return
  throw conflict(
    'conflict',
    'Probability and forecast category of a closed deal cannot be changed. Reopen the deal first.',
  )
}
