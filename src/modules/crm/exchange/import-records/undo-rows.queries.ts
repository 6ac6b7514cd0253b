import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { KeptReason } from '../import-mapping/import.schemas.ts'

type ImportRun = { id: string; run_no: number }

export type UndoableRow = {
  row_no: number
  outcome: 'created' | 'updated'
  record_id: string
  before: Record<string, unknown> | null
}

/** The last rows before `before` that changed a record, last first, so that a record gets its oldest values in the end. */
export function listUndoableRows(
  tx: TenantTx,
  { id, run_no }: ImportRun,
  before: number,
  limit: number,
): Promise<UndoableRow[]> {
  return tx
    .selectFrom('crm.import_rows')
    .select(['row_no', 'outcome', 'record_id', 'before'])
    .where('import_id', '=', id)
    .where('row_no', '<', before)
    .where('run_no', '=', run_no)
    .where('outcome', 'in', ['created', 'updated'])
    .where('record_id', 'is not', null)
    .orderBy('row_no', 'desc')
    .limit(limit)
    .$castTo<UndoableRow>()
    .execute()
}

export async function saveUndoOutcomes(
  tx: TenantTx,
  importId: string,
  outcomes: readonly { row_no: number; reason: KeptReason | null }[],
): Promise<void> {
  await sql`
    update crm.import_rows row set outcome = case when undone.reason is null then 'undone' else 'kept' end,
      kept_reason = undone.reason
    from unnest(${outcomes.map(({ row_no }) => row_no)}::integer[],
      ${outcomes.map(({ reason }) => reason)}::text[]) as undone (row_no, reason)
    where row.import_id = ${importId}::uuid and row.row_no = undone.row_no
  `.execute(tx)
}

const lastRowOf = (recordId: string, { id, run_no }: ImportRun) => sql`
  select row.row_no, row.record_version from crm.import_rows row
  where row.import_id = ${id}::uuid and row.record_id = ${sql.ref(recordId)} and row.run_no = ${run_no}
    and row.record_version is not null
  order by row.row_no desc limit 1`

/** The versions of records after the last change of the import or of its undo, which the last row of each record has. */
export async function listImportedVersions(
  tx: TenantTx,
  run: ImportRun,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; record_version: number }>`
    select wanted.id, last.record_version from unnest(${ids}::uuid[]) as wanted (id)
    cross join lateral (${lastRowOf('wanted.id', run)}) as last
  `.execute(tx)
  return new Map(rows.map(({ id, record_version }) => [id, record_version]))
}

export async function saveImportedVersions(
  tx: TenantTx,
  run: ImportRun,
  versions: ReadonlyMap<string, number>,
): Promise<void> {
  if (!versions.size) return
  await sql`
    with last as materialized (
      select last.row_no, record.version
      from unnest(${[...versions.keys()]}::uuid[], ${[...versions.values()]}::integer[]) as record (id, version)
      cross join lateral (${lastRowOf('record.id', run)}) as last
    )
    update crm.import_rows row set record_version = last.version from last
    where row.import_id = ${run.id}::uuid and row.row_no = last.row_no
  `.execute(tx)
}
