import { type SqlBool, sql } from 'kysely'
import { defineFact } from '#platform/rules'
import { Id, strict } from '#platform/schema'
import { findNestingProblem } from './segment.rules.ts'
import { findSegment } from './segments.queries.ts'
import { segmentTypes } from './segments.schemas.ts'

const passedOn = ['cycle', 'nesting', 'too_many']

/** The record is a member of a segment. A dynamic segment is replaced by its rules, so that all conditions are one statement. */
export const segmentFact = defineFact({
  name: 'segment',
  objectTypes: segmentTypes,
  params: strict({ segment_id: Id }),
  async resolve(tx, { segment_id }, report, { objectType, within, nest }) {
    const reportId = (code: string, message: string) => report('/segment_id', code, message)
    const segment = await findSegment(tx, segment_id)
    if (segment?.object_type !== objectType)
      return reportId('unknown_reference', '`segment_id` must refer to an existing segment of the same object type.')
    const problem = findNestingProblem(within, segment_id)
    if (problem) return reportId(problem.code, problem.message)
    if (segment.kind === 'static') return { segmentId: segment_id }
    const nested = await nest(segment_id, segment.rules)
    if ('nestedRule' in nested) return nested
    const cause = nested.problems.find(({ code }) => passedOn.includes(code))
    return reportId(cause?.code ?? 'segment_invalid', cause?.message ?? '`segment_id` must refer to a valid segment.')
  },
  compile: ({ segmentId }: { segmentId: string }, { id }) => sql<SqlBool>`exists (
    select from marketing.segment_members member where member.segment_id = ${segmentId}::uuid and member.record_id = ${id})`,
  select: ({ segmentId }) => ({
    records: sql`select member.record_id from marketing.segment_members member where member.segment_id = ${segmentId}::uuid`,
    isExact: true,
  }),
})
