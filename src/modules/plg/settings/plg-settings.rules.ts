import type { InputError } from '#platform/errors'
import type { PlgSettings, PqlRule } from './plg-settings.schemas.ts'

type Problem = Omit<InputError, 'in'>

/** Checks that span several fields of a rule. Segments are checked against the workspace. */
export function findRuleProblems({ pql_rules }: Pick<PlgSettings, 'pql_rules'>): Problem[] {
  const keys = pql_rules.map(({ key }) => key)
  return pql_rules.flatMap((rule, index) => [
    ...(keys.indexOf(rule.key) < index
      ? [{ path: `/pql_rules/${index}/key`, code: 'duplicate', message: `\`key\` must not be used by two rules.` }]
      : []),
    ...findConditionProblems(rule, index),
  ])
}

function findConditionProblems({ kind, window_days, all }: PqlRule, index: number): Problem[] {
  return all.flatMap(({ min_events, min_days, min_people }, position) => {
    const path = `/pql_rules/${index}/all/${position}`
    const problems: Problem[] = []
    if (min_events === undefined && min_days === undefined && min_people === undefined)
      problems.push({
        path,
        code: 'required',
        message: 'A condition must have `min_events`, `min_days` or `min_people`.',
      })
    if (min_people !== undefined && kind === 'person')
      problems.push({ path: `${path}/min_people`, code: 'kind', message: '`min_people` must not be set for people.' })
    if (min_days !== undefined && min_days > window_days)
      problems.push({ path: `${path}/min_days`, code: 'range', message: '`min_days` must not exceed `window_days`.' })
    return problems
  })
}
