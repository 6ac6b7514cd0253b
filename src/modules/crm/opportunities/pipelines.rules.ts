import { type InputError, invalid, invalidInput } from '#platform/errors'
import type { Kind, WrittenStage } from './pipelines.schemas.ts'

/** A stage as it is kept: the rate in ten-thousandths, so that sums of it are exact. */
export type StageRow = {
  key: string
  label: string
  position: number
  kind: string
  probability_basis: number
  forecast_category: string
  is_active: boolean
}

const steps = 10_000

export const toRate = (basis: number): number => basis / steps

/** Refuses what would have to be rounded, so that a deal is worth what was said. */
export function toBasis(rate: number, path: string): number {
  const basis = Math.round(rate * steps)
  if (Math.abs(rate * steps - basis) > 1e-6) throw invalid('body', path, 'digits', 'A rate has at most 4 decimals.')
  return basis
}

const open = (
  key: string,
  label: string,
  probability_rate: number,
  forecast_category: 'pipeline' | 'best_case' | 'commit',
) => ({ key, label, kind: 'open', probability_rate, forecast_category, is_active: true }) as const

/** What every workspace begins with. */
export const salesPipeline: { name: string; stages: WrittenStage[] } = {
  name: 'Sales',
  stages: [
    open('prospecting', 'Prospecting', 0.1, 'pipeline'),
    open('qualification', 'Qualification', 0.2, 'pipeline'),
    open('proposal', 'Proposal', 0.5, 'best_case'),
    open('negotiation', 'Negotiation', 0.75, 'commit'),
    { key: 'closed_won', label: 'Closed won', kind: 'won', is_active: true },
    { key: 'closed_lost', label: 'Closed lost', kind: 'lost', is_active: true },
  ],
}

/** How deals stand that have ended; nobody decides it. */
const ended: Record<Exclude<Kind, 'open'>, { rate: number; category: string }> = {
  won: { rate: 1, category: 'closed' },
  lost: { rate: 0, category: 'omitted' },
}

/** Checks the stages of a pipeline as a whole and gives back what is to be kept. Every problem is told at once. */
export function readStages(written: readonly WrittenStage[]): StageRow[] {
  const problems = [...written.flatMap(problemsInStage), ...problemsInAll(written)]
  if (problems.length) throw invalidInput(problems.map((problem) => ({ in: 'body', ...problem })))
  return written.map(({ key, label, kind, probability_rate, forecast_category, is_active }, position) => ({
    key,
    label,
    position,
    kind,
    probability_basis: toBasis(kind === 'open' ? probability_rate! : ended[kind].rate, ''),
    forecast_category: kind === 'open' ? (forecast_category ?? 'pipeline') : ended[kind].category,
    is_active,
  }))
}

type Problem = Omit<InputError, 'in'>

function problemsInStage(stage: WrittenStage, index: number): Problem[] {
  const { kind, probability_rate: rate, forecast_category: category, is_active } = stage
  const at = (field: string, code: string, message: string): Problem => ({
    path: `/stages/${index}/${field}`,
    code,
    message,
  })
  const problems: Problem[] = []
  if (kind === 'open') {
    if (rate === undefined) problems.push(at('probability_rate', 'required', 'Say how likely a deal here is won.'))
    else if (Math.abs(rate * steps - Math.round(rate * steps)) > 1e-6)
      problems.push(at('probability_rate', 'digits', 'A rate has at most 4 decimals.'))
    if (category === 'closed')
      problems.push(at('forecast_category', 'fixed', 'Only deals that were won count as closed.'))
    return problems
  }
  const fixed = ended[kind]
  if (rate !== undefined && rate !== fixed.rate)
    problems.push(at('probability_rate', 'fixed', `The rate of a stage of kind ${kind} is ${fixed.rate}.`))
  if (category !== undefined && category !== fixed.category)
    problems.push(at('forecast_category', 'fixed', `The category of a stage of kind ${kind} is ${fixed.category}.`))
  if (!is_active) problems.push(at('is_active', 'fixed', 'Deals must be able to end: won and lost stay active.'))
  return problems
}

function problemsInAll(stages: readonly WrittenStage[]): Problem[] {
  const at = (path: string, code: string, message: string): Problem => ({ path, code, message })
  const problems: Problem[] = []
  const keys = stages.map(({ key }) => key)
  for (const [index, key] of keys.entries())
    if (keys.indexOf(key) < index)
      problems.push(at(`/stages/${index}/key`, 'duplicate', 'Every stage has its own key.'))
  for (const kind of ['won', 'lost'])
    if (stages.filter((stage) => stage.kind === kind).length !== 1)
      problems.push(at('/stages', 'kinds', `A pipeline has exactly one stage of kind ${kind}.`))
  if (!stages.some(({ kind, is_active }) => kind === 'open' && is_active))
    problems.push(at('/stages', 'kinds', 'A pipeline has at least one active stage of kind open.'))
  return problems
}

/** Which stages are gone, and where their deals go. A stage keeps its kind, and so does a deal that is moved. */
export function planMoves(
  before: readonly StageRow[],
  after: readonly StageRow[],
  moveTo: Readonly<Record<string, string>>,
): { from: string; to: StageRow | undefined }[] {
  const [was, is] = [byKey(before), byKey(after)]
  const problems: Problem[] = []
  for (const [index, { key, kind }] of after.entries())
    if ((was.get(key)?.kind ?? kind) !== kind)
      problems.push({
        path: `/stages/${index}/kind`,
        code: 'immutable',
        message: 'A stage keeps its kind. Add another stage and move the deals there.',
      })
  for (const [from, to] of Object.entries(moveTo)) {
    const target = is.get(to)
    const message =
      !was.has(from) || is.has(from)
        ? `${from} is not a stage that is being removed.`
        : !target
          ? `${to} is not a stage of this pipeline.`
          : target.kind !== was.get(from)!.kind
            ? 'Deals move to a stage of the same kind.'
            : undefined
    if (message) problems.push({ path: `/move_to/${from}`, code: 'move', message })
  }
  if (problems.length) throw invalidInput(problems.map((problem) => ({ in: 'body', ...problem })))
  return before
    .filter(({ key }) => !is.has(key))
    .map(({ key }) => ({ from: key, to: Object.hasOwn(moveTo, key) ? is.get(moveTo[key]!) : undefined }))
}

const byKey = (stages: readonly StageRow[]) => new Map(stages.map((stage) => [stage.key, stage]))
