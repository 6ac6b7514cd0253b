import { baseCurrencyOf, currentFiscalQuarter, resolveOwnerId, timezoneOf } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { timestampAt } from '#platform/calendar'
import { cursorAfter, type TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { toMoney } from '#platform/money'
import { findSearchedIds } from '../../records/filters/search-conditions.queries.ts'
import { toClosedPeriod } from '../forecast/forecast.rules.ts'
import { findOwnerIds } from '../forecast/forecast.service.ts'
import { type StageSums, sumStages } from '../forecast/stage-sums.queries.ts'
import { toOpportunityList } from '../opportunities/list-opportunities.queries.ts'
import type { OpportunitySummaryRow } from '../opportunities/opportunities.queries.ts'
import { toOpportunitySummaries } from '../opportunities/opportunity-details.service.ts'
import type { OpportunityFilter } from '../opportunities/opportunity-filter.queries.ts'
import { type PipelineStageRow, roundBasisPoints, toProbabilityRate } from '../pipelines/pipelines.rules.ts'
import type { StageKind } from '../pipelines/pipelines.schemas.ts'
import { ensureDefaultPipeline, findPipelineWithStages } from '../pipelines/pipelines.service.ts'
import { listFoundStageDeals, listStageDeals, sumFoundStages } from './deal-board.queries.ts'
import type { OpportunityBoard, OpportunityBoardQuery, OpportunityBoardStage } from './deal-board.schemas.ts'

export async function getOpportunityBoard(
  tx: TenantTx,
  actor: UserActor,
  { pipeline_id, owner_id, team_id, search, limit }: OpportunityBoardQuery,
  now: Date,
): Promise<OpportunityBoard> {
  const pipeline = await (pipeline_id ? findPipelineWithStages(tx, pipeline_id) : ensureDefaultPipeline(tx))
  if (!pipeline)
    throw invalid('query', '/pipeline_id', 'unknown_reference', '`pipeline_id` must refer to an existing pipeline.')
  const { id, name, stages } = pipeline
  const ownerId = resolveOwnerId(owner_id, actor)
  const filter = { pipelineId: id, ownerIds: await findOwnerIds(tx, { owner_id: ownerId, team_id }) }
  const stageKeys = stages.filter(({ kind }) => kind === 'open').map(({ key }) => key)
  const { start_on } = await currentFiscalQuarter(tx, now)
  const [base, timezone] = await Promise.all([baseCurrencyOf(tx), timezoneOf(tx)])
  const cards = { ...filter, stageKeys, limit: limit + 1 }
  const ids = await findSearchedIds(tx, 'opportunity', search)
  const [sums, rows] = await Promise.all([
    ids
      ? sumFoundStages(tx, { ...filter, ids, closedFrom: new Date(timestampAt(start_on, '00:00', timezone)) })
      : sumStages(tx, { ...filter, closed: toClosedPeriod(start_on, timezone) }),
    ids ? listFoundStageDeals(tx, { ...cards, ids }) : listStageDeals(tx, cards),
  ])
  const shown = [...Map.groupBy(rows, ({ stage_key }) => stage_key).values()].map((deals) => deals.slice(0, limit))
  const summaries = await toOpportunitySummaries(tx, shown.flat(), now)

  const toCursor = (stage_key: string) => {
    const deals = rows.filter((deal) => deal.stage_key === stage_key)
    const list = { pipeline_id: id, stage_key: [stage_key], owner_id: ownerId, team_id, search }
    return deals.length > limit ? toListCursor(list, deals[limit - 1]!) : null
  }
  const boardStages = stages.map((stage) => ({
    ...toStageFigures(
      stage,
      sums.find(({ stage_key }) => stage_key === stage.key),
      base,
    ),
    items: summaries.filter(({ stage_key }) => stage_key === stage.key),
    next_cursor: toCursor(stage.key),
  }))
  return {
    pipeline: { id, name },
    base_currency: base,
    as_of: now,
    closed_from: start_on,
    stages: boardStages.filter(({ count }, index) => count > 0 || stages[index]!.is_active),
  }
}

function toStageFigures(
  { key, label, kind, probability_basis }: PipelineStageRow,
  { deals, minor, weighted }: Omit<StageSums, 'stage_key'> = { deals: 0, minor: '0', weighted: '0' },
  base: string,
): Omit<OpportunityBoardStage, 'items' | 'next_cursor'> {
  return {
    key,
    label,
    kind: kind as StageKind,
    probability_rate: toProbabilityRate(probability_basis),
    count: deals,
    amount: toMoney(BigInt(minor), base),
    weighted: toMoney(roundBasisPoints(BigInt(weighted)), base),
  }
}

/** Continues after a deal in the list of the open deals of its stage. */
function toListCursor(filter: OpportunityFilter, { amount_base_minor, id }: OpportunitySummaryRow): string {
  const list = toOpportunityList({ ...filter, kind: ['open'] }, '-amount')
  return cursorAfter(list, { key: amount_base_minor === null ? null : [amount_base_minor], id })
}
