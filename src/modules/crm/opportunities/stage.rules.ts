import { conflict, invalid, unknownReference } from '#platform/errors'
import { type StageRow, toRate } from './pipelines.rules.ts'

type Pipeline = { is_active: boolean; stages: readonly StageRow[] }

/** The stage a deal is put into: the one that is named, or the first one it can be in. Who is in a pipeline may go on in it. */
export function chooseStage(
  { is_active, stages }: Pipeline,
  key: string | undefined,
  { isEntering }: { isEntering: boolean },
): StageRow {
  if (isEntering && !is_active)
    throw invalid('body', '/pipeline_id', 'inactive', 'This pipeline is no longer used. Choose one that is active.')
  if (key === undefined) return stages.find(({ kind, is_active }) => kind === 'open' && is_active)!
  const stage = stages.find((one) => one.key === key)
  if (!stage) throw unknownReference('/stage_key', 'stage of the pipeline')
  if (!stage.is_active)
    throw invalid('body', '/stage_key', 'inactive', 'This stage is no longer used. Choose one that is active.')
  return stage
}

/** A deal that has ended is opened again before it can end otherwise. */
export function assertStep(from: string, to: StageRow, stages: readonly StageRow[]): void {
  if (from === 'open' || to.kind === 'open') return
  const allowed = stages.filter(({ kind, is_active }) => kind === 'open' && is_active).map(({ key }) => key)
  throw conflict('invalid_transition', 'The deal has ended. Open it again first, in one of the stages that are open.', {
    from,
    to: to.kind,
    allowed,
  })
}

type Ending = { amount: unknown; lost_reason: unknown; lost_detail: unknown }

/** What has to be known of a deal of a kind, and what only a lost one can have. */
export function assertComplete(kind: string, { amount, lost_reason, lost_detail }: Ending): void {
  if (kind === 'won' && amount === null)
    throw invalid('body', '/amount', 'required', 'A deal is won for an amount. Say how much it is.')
  if (kind === 'lost' && lost_reason === null)
    throw invalid('body', '/lost_reason', 'required', 'Say why the deal was lost.')
  if (kind === 'lost') return
  const given = lost_reason !== null ? 'lost_reason' : lost_detail !== null ? 'lost_detail' : undefined
  if (given) throw invalid('body', `/${given}`, 'unexpected', 'Only a deal that was lost has a reason for it.')
}

/** Likelihood and category of a deal that has ended follow from how it ended. */
export function assertOpenForForecast(
  { kind, probability_basis, forecast_category }: StageRow,
  said: { probability_rate?: number; forecast_category?: string },
): void {
  const { probability_rate: rate = toRate(probability_basis), forecast_category: category = forecast_category } = said
  if (kind === 'open' || (rate === toRate(probability_basis) && category === forecast_category)) return
  throw conflict('conflict', 'The deal has ended, so its probability and category are fixed. Open it again first.')
}
