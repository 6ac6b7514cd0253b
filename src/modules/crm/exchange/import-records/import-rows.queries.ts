import { sql } from 'kysely'
import { Type } from 'typebox'
import { decodeCursor, directionOf, selectRows, type TenantTx, toPage, totalOf } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import type { KeptReason, RowMessage } from '../import-mapping/import.schemas.ts'

export type StagedRow = { row_no: number; cells: string[]; problem: string | null }

export async function insertStagedRows(tx: TenantTx, importId: string, rows: readonly StagedRow[]): Promise<void> {
  await sql`
    insert into crm.import_rows (import_id, row_no, cells, problem)
    select ${importId}::uuid, row_no, cells::jsonb, problem
    from unnest(${rows.map(({ row_no }) => row_no)}::integer[], ${rows.map(({ cells }) => JSON.stringify(cells))}::text[],
      ${rows.map(({ problem }) => problem)}::text[]) as staged (row_no, cells, problem)
  `.execute(tx)
}

export async function countRepeatedValues(
  tx: TenantTx,
  importId: string,
  column: number,
): Promise<{ rows: number; values: number }> {
  const { rows } = await sql<{ rows: number; values: number }>`
    select coalesce(sum(count), 0)::integer as rows, count(*)::integer as values from (
      select count(*) as count from (
        select lower(btrim(cells ->> ${column}::integer)) as cell from crm.import_rows where import_id = ${importId}::uuid
      ) as cells
      where cell <> '' group by cell having count(*) > 1
    ) as repeated
  `.execute(tx)
  return rows[0]!
}

export type PendingRow = StagedRow & { run_no: number }

/** The rows after `after` in the order of the file, also those that this run has processed already. */
export function listRowsAfter(tx: TenantTx, importId: string, after: number, limit: number): Promise<PendingRow[]> {
  return tx
    .selectFrom('crm.import_rows')
    .select(['row_no', 'cells', 'problem', 'run_no'])
    .where('import_id', '=', importId)
    .where('row_no', '>', after)
    .orderBy('row_no')
    .limit(limit)
    .$castTo<PendingRow>()
    .execute()
}

export type RowOutcome = 'created' | 'updated' | 'skipped' | 'failed' | 'undone' | 'kept'

export type RowResult = {
  row_no: number
  outcome: RowOutcome
  match_hash: string | null
  record_id: string | null
  record_version: number | null
  errors: RowMessage[] | null
  warnings: RowMessage[] | null
  before: object | null
}

const resultTypes = {
  row_no: 'integer',
  outcome: 'text',
  match_hash: 'text',
  record_id: 'uuid',
  record_version: 'integer',
  errors: 'jsonb',
  warnings: 'jsonb',
  before: 'jsonb',
} as const

export async function saveRowResults(
  tx: TenantTx,
  { id, run_no }: { id: string; run_no: number },
  results: readonly RowResult[],
): Promise<void> {
  if (!results.length) return
  const { rows } = selectRows<RowResult>(results, resultTypes)
  await sql`
    update crm.import_rows row set run_no = ${run_no}, outcome = result.outcome, match_hash = result.match_hash,
      record_id = result.record_id, record_version = result.record_version, errors = result.errors,
      warnings = result.warnings, before = result.before, kept_reason = null
    from (${rows}) as result
    where row.import_id = ${id}::uuid and row.row_no = result.row_no
  `.execute(tx)
}

/** Finds the keys that a row of the current check would have created. */
export async function listCreatedKeys(
  tx: TenantTx,
  { id, run_no }: { id: string; run_no: number },
  hashes: readonly string[],
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('crm.import_rows')
    .select('match_hash')
    .where('import_id', '=', id)
    .where('match_hash', '=', sql<string>`any(${hashes}::text[])`)
    .where('run_no', '=', run_no)
    .where('outcome', '=', 'created')
    .execute()
  return new Set(rows.map(({ match_hash }) => match_hash!))
}

export async function listImportedIds(
  tx: TenantTx,
  { id, run_no }: { id: string; run_no: number },
  { after, upTo }: { after: number; upTo: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm.import_rows')
    .select('record_id')
    .where('import_id', '=', id)
    .where('row_no', '>', after)
    .where('row_no', '<=', upTo)
    .where('run_no', '=', run_no)
    .where('outcome', 'in', ['created', 'updated'])
    .where('record_id', 'is not', null)
    .execute()
  return [...new Set(rows.map(({ record_id }) => record_id!))]
}

export type ListedRow = {
  row_no: number
  cells: string[]
  outcome: RowOutcome | null
  record_id: string | null
  errors: RowMessage[] | null
  warnings: RowMessage[] | null
  kept_reason: KeptReason | null
}

const SortKey = Type.Tuple([Type.Integer({ minimum: 0, maximum: 1_000_000_000 })])

/** Rows without an outcome of the current run have none. */
export async function listRowPage(
  tx: TenantTx,
  { id, run_no }: { id: string; run_no: number },
  { outcome, has_warnings, ...page }: PageQuery & { outcome?: string; has_warnings?: boolean },
) {
  const order = directionOf(undefined, 'row_no')
  let matches = tx.selectFrom('crm.import_rows').where('import_id', '=', id)
  if (outcome) matches = matches.where('run_no', '=', run_no).where('outcome', '=', outcome)
  if (has_warnings) matches = matches.where('run_no', '=', run_no).where('warnings', 'is not', null)
  const ofRun = <T>(column: string) => sql<T>`case when run_no = ${run_no} then ${sql.ref(column)} end`.as(column)
  let query = matches
    .select([
      'row_no',
      'cells',
      ofRun('outcome'),
      ofRun('record_id'),
      ofRun('errors'),
      ofRun('warnings'),
      ofRun('kept_reason'),
    ])
    .orderBy('row_no')
    .limit(page.limit + 1)
  if (page.cursor) query = query.where('row_no', '>', decodeCursor(page.cursor, SortKey, order)[0])
  else query = query.offset(page.offset)
  const total = await totalOf(tx, matches, page)
  const rows = (await query.execute()) as unknown as ListedRow[]
  return toPage(rows, total, page, ({ row_no }) => [row_no], order)
}

export async function listSampleRows(tx: TenantTx, importId: string): Promise<string[][]> {
  const rows = await listRowsAfter(tx, importId, 0, 5)
  return rows.map(({ cells }) => cells)
}

const [checkedRows, checkedLength] = [100, 300]

export async function listCheckedRows(tx: TenantTx, importId: string): Promise<string[][]> {
  const { rows } = await sql<{ cells: string[] | null }>`
    select (select jsonb_agg(left(cell, ${sql.lit(checkedLength)}) order by position)
      from jsonb_array_elements_text(checked.cells) with ordinality as item (cell, position)) as cells
    from (select row_no, cells from crm.import_rows where import_id = ${importId}::uuid
      order by row_no limit ${sql.lit(checkedRows)}) as checked
    order by row_no
  `.execute(tx)
  return rows.map(({ cells }) => cells ?? [])
}

export async function listFailedRows(
  tx: TenantTx,
  { id, run_no }: { id: string; run_no: number },
  after: number,
  limit: number,
): Promise<{ row_no: number; cells: string[]; errors: RowMessage[] | null }[]> {
  const rows = await tx
    .selectFrom('crm.import_rows')
    .select(['row_no', 'cells', 'errors'])
    .where('import_id', '=', id)
    .where('run_no', '=', run_no)
    .where('outcome', '=', 'failed')
    .where('row_no', '>', after)
    .orderBy('row_no')
    .limit(limit)
    .execute()
  return rows as unknown as { row_no: number; cells: string[]; errors: RowMessage[] | null }[]
}
