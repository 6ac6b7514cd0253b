import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import { allOf, planForValues, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { RuleContext } from '#platform/rules'
import { leavesOf, ruleCondition } from '#platform/rules'
import { accountAlias } from '../../people/contacts/contact-values.ts'
import { recordTables } from '../../records/custom-values/custom-values.queries.ts'
import { ruleConditions } from '../../records/filters/rule-conditions.queries.ts'
import type { RecordRule } from './parse-record-rule.service.ts'

type IdQuery = RawBuilder<{ id: string }>

/**
 * Returns statements that select `id` of the records that satisfy each rule, without deleted ones, for statements of other modules.
 * They must run in this transaction, which plans them for their values.
 */
export async function selectMatchingIds<Rules extends readonly RecordRule[]>(
  tx: TenantTx,
  rules: readonly [...Rules],
  context: RuleContext,
): Promise<{ [Index in keyof Rules]: IdQuery }> {
  await planForValues(tx)
  const statements: IdQuery[] = []
  for (const { objectType, rule } of rules) {
    const conditions = await ruleConditions(tx, objectType, { rule, context }, { usesSets: true })
    statements.push(selectIds({ objectType, rule }, conditions))
  }
  return statements as { [Index in keyof Rules]: IdQuery }
}

/** Like `selectMatchingIds`, but among the newest records only and therefore in bounded time. */
export function selectNewestIds(
  { objectType, rule }: RecordRule,
  context: RuleContext,
  limit: number,
): { matching: IdQuery } {
  const table = recordTables[objectType]
  const newest = isNewest(objectType, limit)
  const condition = ruleCondition(rule, { alias: table, objectType }, context)
  return { matching: selectIds({ objectType, rule }, [newest, condition]) }
}

/** The ids are read first, so that the rest of the condition cannot change what is read. */
export const isNewest = (objectType: RecordRule['objectType'], limit: number) =>
  sql<SqlBool>`${sql.ref(`${recordTables[objectType]}.id`)} = any (array(
    select id from ${sql.table(recordTables[objectType])} where deleted_at is null order by id desc limit ${sql.lit(limit)}))`

const account = sql.ref(accountAlias)
export const joinAccount = sql`left join crm.accounts as ${account}
  on ${account}.id = crm.contacts.account_id and ${account}.deleted_at is null`

function selectIds({ objectType, rule }: RecordRule, conditions: readonly Expression<SqlBool>[]): IdQuery {
  const table = recordTables[objectType]
  const usesAccount = leavesOf(rule).some((leaf) => leaf.kind === 'field' && leaf.field.joinAlias === accountAlias)
  return sql`select ${sql.ref(`${table}.id`)} from ${sql.table(table)} ${usesAccount ? joinAccount : sql``}
    where ${sql.ref(`${table}.deleted_at`)} is null and ${allOf(conditions)}`
}

type IdPage = { after?: string; offset?: number; limit: number }

export async function listMatchingIds(
  tx: TenantTx,
  rule: RecordRule,
  context: RuleContext,
  { after = nilUuid, offset = 0, limit }: IdPage,
): Promise<string[]> {
  const id = sql.ref(`${recordTables[rule.objectType]}.id`)
  const [matching] = await selectMatchingIds(tx, [rule], context)
  const skipped = offset ? sql`offset ${offset}::bigint` : sql``
  const page: IdQuery = sql`(${matching} and ${id} > ${after}::uuid order by ${id} limit ${sql.lit(limit)} ${skipped})`
  const rows = await tx.selectFrom(page.as('page')).select('page.id').execute()
  return rows.map((row) => row.id)
}

export async function countMatchingRecords(
  tx: TenantTx,
  rule: RecordRule,
  context: RuleContext,
  limit: number,
): Promise<number> {
  const [matching] = await selectMatchingIds(tx, [rule], context)
  const limited: IdQuery = sql`(${matching} limit ${sql.lit(limit)})`
  const { records } = await tx
    .selectFrom(limited.as('limited'))
    .select(({ fn }) => fn.countAll<number>().as('records'))
    .executeTakeFirstOrThrow()
  return records
}

export async function listExistingIds(
  tx: TenantTx,
  objectType: RecordRule['objectType'],
  ids: readonly string[],
): Promise<string[]> {
  const existing: IdQuery = sql`(select id from ${sql.table(recordTables[objectType])}
    where id = any (${ids}::uuid[]) and deleted_at is null)`
  const rows = await tx.selectFrom(existing.as('existing')).select('existing.id').execute()
  return rows.map(({ id }) => id)
}
