import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { columnExpression, foldCase, foldTextSql, type RuleField } from '#platform/rules'
import { accountAlias } from '../../people/contacts/contact-values.ts'
import { recordTables } from '../../records/custom-values/custom-values.queries.ts'
import { isNewest, joinAccount } from './matching-records.queries.ts'
import type { RecordRule } from './parse-record-rule.service.ts'

const newestRecords = 5_000
const maxValues = 20
export const maxValueLength = 200

/** Lists the texts that the newest records have in a field, the most frequent first. */
export async function listFieldValues(
  tx: TenantTx,
  objectType: RecordRule['objectType'],
  field: RuleField,
  search: string | undefined,
): Promise<string[]> {
  const table = recordTables[objectType]
  const { value, isJson } = columnExpression(field, table)
  const isList = field.type === 'tags' || field.type === 'multi_select'
  const elements = isJson ? sql`jsonb_array_elements_text(${value})` : sql`unnest(${value})`
  const text = sql.ref<string>('used.value')
  const isFound = search === undefined ? sql`` : sql`and strpos(${foldTextSql(text)}, ${foldCase(search)}) > 0`
  const values = sql<{ value: string }>`(
    select ${text} as value from (
      select ${isList ? elements : value} as value
      from ${sql.table(table)} ${field.joinAlias === accountAlias ? joinAccount : sql``}
      where ${isNewest(objectType, newestRecords)}
    ) as used
    where ${text} <> '' and length(${text}) <= ${sql.lit(maxValueLength)} ${isFound}
    group by ${text} order by count(*) desc, ${text} limit ${sql.lit(maxValues)})`
  const rows = await tx.selectFrom(values.as('values')).select('values.value').execute()
  return rows.map((row) => row.value)
}
