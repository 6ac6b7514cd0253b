import { type InputError, invalid, invalidInput } from '#platform/errors'
import type { StageInput, StageKind } from './pipelines.schemas.ts'

const basisPoints = 10_000

export const toProbabilityRate = (basis: number): number => basis / basisPoints

/** Rejects a rate with more than 4 decimals instead of rounding it. */
export function toBasisPoints(rate: number, path: string): number {
  if (!isWholeBasisPoints(rate)) throw invalid('body', path, 'digits', 'The rate must not have more than 4 decimals.')
  return Math.round(rate * basisPoints)
}

/** 1e-6 allows for floating-point error. */
export const isWholeBasisPoints = (rate: number): boolean =>
  Math.abs(rate * basisPoints - Math.round(rate * basisPoints)) <= 1e-6

/** Rounds a sum of amounts that were multiplied by basis points. Add up first: each sum is rounded only once. */
export function roundBasisPoints(weighted: bigint): bigint {
  const divisor = BigInt(basisPoints)
  return (2n * weighted + divisor) / (2n * divisor)
}

export const calculateExpectedMinor = (minor: number, probabilityBasis: number): bigint =>
  roundBasisPoints(BigInt(minor) * BigInt(probabilityBasis))

/** The probability is stored in basis points (1/10,000), so that sums are exact. */
export type PipelineStageRow = {
  key: string
  label: string
  position: number
  kind: string
  probability_basis: number
  forecast_category: string
  is_active: boolean
}

const openStage = (
  key: string,
  label: string,
  probability_rate: number,
  forecast_category: 'pipeline' | 'best_case' | 'commit',
) => ({ key, label, kind: 'open', probability_rate, forecast_category, is_active: true }) as const

/** Created on first use in every workspace. */
export const initialPipeline: { name: string; stages: StageInput[] } = {
  name: 'Sales',
  stages: [
    openStage('prospecting', 'Prospecting', 0.1, 'pipeline'),
    openStage('qualification', 'Qualification', 0.2, 'pipeline'),
    openStage('proposal', 'Proposal', 0.5, 'best_case'),
    openStage('negotiation', 'Negotiation', 0.75, 'commit'),
    { key: 'closed_won', label: 'Closed won', kind: 'won', is_active: true },
    { key: 'closed_lost', label: 'Closed lost', kind: 'lost', is_active: true },
  ],
}

const closedStages: Record<Exclude<StageKind, 'open'>, { rate: number; category: string }> = {
  won: { rate: 1, category: 'closed' },
  lost: { rate: 0, category: 'omitted' },
}

export function parseStages(input: readonly StageInput[]): PipelineStageRow[] {
  const problems = [...input.flatMap(stageProblems), ...pipelineProblems(input)]
  if (problems.length) throw invalidInput(problems.map((problem) => ({ in: 'body', ...problem })))
  return input.map(({ key, label, kind, probability_rate, forecast_category, is_active }, position) => ({
    key,
    label,
    position,
    kind,
    probability_basis: toBasisPoints(kind === 'open' ? probability_rate! : closedStages[kind].rate, ''),
    forecast_category: kind === 'open' ? (forecast_category ?? 'pipeline') : closedStages[kind].category,
    is_active,
  }))
}

type Problem = Omit<InputError, 'in'>

function stageProblems(stage: StageInput, index: number): Problem[] {
  const { kind, probability_rate: rate, forecast_category: category, is_active } = stage
  const at = (field: string, code: string, message: string): Problem => ({
    path: `/stages/${index}/${field}`,
    code,
    message,
  })
  const problems: Problem[] = []
  if (kind === 'open') {
    if (rate === undefined)
      problems.push(at('probability_rate', 'required', '`probability_rate` is required for open stages.'))
    else if (!isWholeBasisPoints(rate))
      problems.push(at('probability_rate', 'digits', '`probability_rate` must not have more than 4 decimals.'))
    if (category === 'closed')
      problems.push(at('forecast_category', 'fixed', '`forecast_category` must not be `closed` for open stages.'))
    return problems
  }
  const fixed = closedStages[kind]
  if (rate !== undefined && rate !== fixed.rate)
    problems.push(at('probability_rate', 'fixed', `\`probability_rate\` must be ${fixed.rate} for ${kind} stages.`))
  if (category !== undefined && category !== fixed.category)
    problems.push(
      at('forecast_category', 'fixed', `\`forecast_category\` must be ${fixed.category} for ${kind} stages.`),
    )
  if (!is_active) problems.push(at('is_active', 'fixed', 'Won and lost stages cannot be deactivated.'))
  return problems
}

function pipelineProblems(stages: readonly StageInput[]): Problem[] {
  const at = (path: string, code: string, message: string): Problem => ({ path, code, message })
  const problems: Problem[] = []
  const keys = stages.map(({ key }) => key)
  for (const [index, key] of keys.entries())
    if (keys.indexOf(key) < index)
      problems.push(at(`/stages/${index}/key`, 'duplicate', 'Stage keys must be unique within a pipeline.'))
  for (const kind of ['won', 'lost'])
    if (stages.filter((stage) => stage.kind === kind).length !== 1)
      problems.push(at('/stages', 'kinds', `A pipeline must have exactly one stage of kind ${kind}.`))
  if (!stages.some(({ kind, is_active }) => kind === 'open' && is_active))
    problems.push(at('/stages', 'kinds', 'A pipeline must have at least one active stage of kind open.'))
  return problems
}

export function planDealMoves(
  before: readonly PipelineStageRow[],
  after: readonly PipelineStageRow[],
  moveTo: Readonly<Record<string, string>>,
): { from: string; to: PipelineStageRow | undefined }[] {
  const [oldStages, newStages] = [byKey(before), byKey(after)]
  const problems: Problem[] = []
  for (const [index, { key, kind }] of after.entries())
    if ((oldStages.get(key)?.kind ?? kind) !== kind)
      problems.push({
        path: `/stages/${index}/kind`,
        code: 'immutable',
        message: '`kind` of an existing stage cannot be changed. Add another stage and move the deals there.',
      })
  for (const [from, to] of Object.entries(moveTo)) {
    const target = newStages.get(to)
    const message =
      !oldStages.has(from) || newStages.has(from)
        ? `${from} is not a removed stage.`
        : !target
          ? `${to} is not a stage of this pipeline.`
          : target.kind !== oldStages.get(from)!.kind
            ? 'Deals can only be moved to a stage of the same kind.'
            : undefined
    if (message) problems.push({ path: `/move_to/${from}`, code: 'move', message })
  }
  if (problems.length) throw invalidInput(problems.map((problem) => ({ in: 'body', ...problem })))
  return before
    .filter(({ key }) => !newStages.has(key))
    .map(({ key }) => ({ from: key, to: Object.hasOwn(moveTo, key) ? newStages.get(moveTo[key]!) : undefined }))
}

const byKey = (stages: readonly PipelineStageRow[]) => new Map(stages.map((stage) => [stage.key, stage]))
