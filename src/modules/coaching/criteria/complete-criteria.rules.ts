import type { InputError } from '#platform/errors'
import {
  type Criterion,
  type CriterionConfigs,
  type CriterionKind,
  criterionKinds,
  type NewCriterion,
} from './criteria.schemas.ts'

const defaults: CriterionConfigs = {
  talk_ratio: { min: 0.3, max: 0.55 },
  questions: { target: 6, open_min_rate: 0.5 },
  objections: {},
  discovery: {},
  keywords: { groups: [], avoid: [] },
  next_step: {},
  filler: { max_per_100_words: 3 },
  monologue: { max_words: 150 },
  pace: { min: 120, max: 160 },
  duration: { min_rate: 0.5 },
  judgement: { indicators: [] },
}

export const completeCriteria = (criteria: readonly NewCriterion[]): Criterion[] =>
  criteria.map(
    ({ config, description = '', ...criterion }) =>
      ({ ...criterion, description, config: { ...defaults[criterion.kind], ...config } }) as Criterion,
  )

type CriteriaOptions = { path: string; kinds?: readonly CriterionKind[] }

/** Lists what the schema cannot express; `path` is the JSON Pointer of the criteria in the body. */
export function listCriteriaProblems(
  criteria: readonly NewCriterion[],
  { path, kinds = criterionKinds }: CriteriaOptions,
): InputError[] {
  const problems: InputError[] = []
  const report = (pointer: string, code: string, message: string) =>
    problems.push({ in: 'body', path: `${path}/${pointer}`, code, message })

  const complete = completeCriteria(criteria)
  for (const [index, criterion] of complete.entries()) {
    const { key, kind, config } = criterion
    if (complete.findIndex((other) => other.key === key) < index)
      report(`${index}/key`, 'duplicate_key', '`key` must not be used twice.')
    if (!kinds.includes(kind)) report(`${index}/kind`, 'enum', `\`kind\` must be one of ${kinds.join(', ')}.`)
    for (const name of Object.keys(config))
      if (!(name in defaults[kind]))
        report(`${index}/config/${name}`, 'not_allowed', `\`${name}\` is not a setting of ${kind}.`)
    if (kind === 'keywords' && !criterion.config.groups.length)
      report(`${index}/config/groups`, 'required', '`groups` is required for keywords.')
    if (kind === 'talk_ratio' || kind === 'pace') {
      const { min, max } = criterion.config
      if (kind === 'talk_ratio' && Math.max(min, max) > 1)
        report(`${index}/config/max`, 'maximum', '`min` and `max` of a talk ratio must not exceed 1.')
      if (max < min) report(`${index}/config/max`, 'minimum', '`max` must not be less than `min`.')
    }
  }
  return problems
}
