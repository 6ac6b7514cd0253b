import { parseRecordRule, type RecordRule } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { AppError, type InputError } from '#platform/errors'
import type { Services } from '#platform/module'
import type { PqlRule } from './plg-settings.schemas.ts'

const objectTypesOf = { person: ['lead', 'contact'], account: ['account'] } as const

/** Returns the segment as a rule of the records that it contains; undefined if it is not a valid segment for the kind of actor. */
export async function findFitRule(
  tx: TenantTx,
  services: Pick<Services, 'registry'>,
  { fit_segment_id, kind }: Pick<PqlRule, 'fit_segment_id' | 'kind'>,
): Promise<RecordRule | undefined> {
  for (const objectType of objectTypesOf[kind]) {
    try {
      return await parseRecordRule(tx, objectType, { fact: 'segment', segment_id: fit_segment_id }, services)
    } catch (error) {
      if (!(error instanceof AppError && error.status === 422)) throw error
    }
  }
  return undefined
}

export async function findSegmentProblems(
  tx: TenantTx,
  services: Pick<Services, 'registry'>,
  rules: readonly PqlRule[],
): Promise<InputError[]> {
  const problems: InputError[] = []
  for (const [index, rule] of rules.entries())
    if (rule.fit_segment_id && !(await findFitRule(tx, services, rule)))
      problems.push({
        in: 'body',
        path: `/pql_rules/${index}/fit_segment_id`,
        code: 'unknown_reference',
        message: `\`fit_segment_id\` must refer to a valid segment of ${objectTypesOf[rule.kind].join('s or ')}s.`,
      })
  return problems
}
