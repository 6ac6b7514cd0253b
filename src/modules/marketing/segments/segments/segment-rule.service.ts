import { parseRecordRule, type RecordRule } from '#modules/crm'
import type { TenantTx } from '#platform/db'
import { AppError, conflict, type InputError } from '#platform/errors'
import type { RuleProblem, Services } from '#platform/module'
import type { SegmentRow } from './segments.queries.ts'

type RuleServices = Pick<Services, 'registry'>
type ParsedSegment = { rule: RecordRule } | { problems: RuleProblem[] }

/** Parses what selects the members now: the rules of a dynamic segment, membership of a static one. */
export async function parseSegment(
  tx: TenantTx,
  { id, object_type, kind, rules }: Pick<SegmentRow, 'id' | 'object_type' | 'kind' | 'rules'>,
  services: RuleServices,
): Promise<ParsedSegment> {
  const isStatic = kind === 'static'
  const input = isStatic ? { fact: 'segment', segment_id: id } : rules
  const origin = { at: { in: 'body', path: '' } as const, within: isStatic ? [] : [id] }
  try {
    return { rule: await parseRecordRule(tx, object_type, input, services, origin) }
  } catch (error) {
    if (!(error instanceof AppError) || !Array.isArray(error.extra.errors)) throw error
    const errors = error.extra.errors as InputError[]
    return { problems: errors.map(({ path, code, message }) => ({ path, code, message })) }
  }
}

/** Returns the rule that selects the members; 409 if the segment uses something that no longer exists. */
export async function requireSegmentRule(
  tx: TenantTx,
  segment: SegmentRow,
  services: RuleServices,
): Promise<RecordRule> {
  const parsed = await parseSegment(tx, segment, services)
  if ('rule' in parsed) return parsed.rule
  throw conflict('segment_invalid', 'The rules of the segment are invalid. Correct them first.', {
    problems: parsed.problems,
  })
}
