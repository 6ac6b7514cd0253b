import { type RawBuilder, sql } from 'kysely'
import { type RecordRule, selectMatchingIds, selectNewestIds } from '#modules/crm'
import { raiseStatementTimeout, type TenantTx } from '#platform/db'
import type { RuleContext } from '#platform/rules'

type IdQuery = RawBuilder<{ id: string }>
export type PreviewPlan = {
  rule: RecordRule
  /** Rules of the breakdown. */
  parts: readonly RecordRule[]
  context: RuleContext
  sampleSize: number
  maxCount: number
}
export type PreviewRow = { count: number; sample: string[]; parts: number[] }

const idsOf = (matching: IdQuery, limit: RawBuilder<unknown>) =>
  sql`select matching.id from (${matching}) as matching ${limit}`

/** Reads everything in one statement, so that one time limit applies. The sample is read again only if not all matches were counted. */
export async function readPreview(
  tx: TenantTx,
  { rule, parts, context, sampleSize, maxCount }: PreviewPlan,
): Promise<PreviewRow> {
  const [matching, ...ofParts] = await selectMatchingIds(tx, [rule, ...parts], context)
  const limit = sql`limit ${sql.lit(maxCount + 1)}`
  const counts = ofParts.map((ofPart) => sql`(select count(*) from (${idsOf(ofPart, limit)}) as part)`)
  const newest = sql`order by id desc limit ${sampleSize}::bigint`
  const preview = sql<PreviewRow>`(
    with matching as materialized (${idsOf(matching, limit)}), total as (select count(*) as count from matching)
    select total.count,
      case when total.count <= ${maxCount}::bigint then array(select id from matching ${newest})
        else array(${idsOf(matching, newest)}) end as sample,
      array[${counts.length ? sql.join(counts) : sql``}]::bigint[] as parts
    from total)`
  return await tx
    .selectFrom(preview.as('preview'))
    .select(['preview.count', 'preview.sample', 'preview.parts'])
    .executeTakeFirstOrThrow()
}

const newestRecords = 5_000
const secondsForBound = 1

/** Reads matches among the newest records only: a lower bound in bounded time. */
export async function readLowerBound(
  tx: TenantTx,
  { rule, context, sampleSize }: Pick<PreviewPlan, 'rule' | 'context' | 'sampleSize'>,
): Promise<Omit<PreviewRow, 'parts'>> {
  await raiseStatementTimeout(tx, secondsForBound)
  const { matching } = selectNewestIds(rule, context, newestRecords)
  const bound = sql<PreviewRow>`(
    with matching as materialized (${matching})
    select (select count(*) from matching) as count,
      array(select id from matching order by id desc limit ${sampleSize}::bigint) as sample)`
  return await tx.selectFrom(bound.as('bound')).select(['bound.count', 'bound.sample']).executeTakeFirstOrThrow()
}
