import { sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

const importsPerScan = 200
const rowsPerScan = 5_000

type ImportFiles = { ids: string[]; fileIds: string[]; next: string | null }

export async function listImportFiles(tx: TenantTx, after = nilUuid): Promise<ImportFiles> {
  const { rows } = await sql<{ id: string; file_id: string | null }>`
    select id, file_id from crm.imports where id > ${after}::uuid order by id limit ${sql.lit(importsPerScan)}
  `.execute(tx)
  return {
    ids: rows.map(({ id }) => id),
    fileIds: rows.flatMap(({ file_id }) => file_id ?? []),
    next: rows.length === importsPerScan ? rows.at(-1)!.id : null,
  }
}

/** Waits for transactions that change texts, which only imports that were not run yet allow. */
export async function lockUnstartedImportsShared(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`
    select id from crm.imports where id = any (${ids}::uuid[]) and state in ('uploading', 'uploaded', 'mapped')
    order by id for share
  `.execute(tx)
}

export type ImportTexts = {
  id: string
  filename: string
  columns: string
  mapping: string | null
  options: string | null
}

export async function lockMentioningImports(
  tx: TenantTx,
  ids: readonly string[],
  mentions: readonly string[],
): Promise<ImportTexts[]> {
  const text = sql`concat_ws(' ', filename, columns::text, mapping::text, options::text)`
  const { rows } = await sql<ImportTexts>`
    select id, filename, columns::text, mapping::text, options::text from crm.imports
    where id = any (${ids}::uuid[]) and ${containsAnyText(text, mentions)} order by id for no key update
  `.execute(tx)
  return rows
}

export async function updateImportTexts(tx: TenantTx, texts: readonly ImportTexts[]): Promise<void> {
  if (!texts.length) return
  await sql`
    update crm.imports import set filename = erased.filename, columns = erased.columns::jsonb,
      mapping = erased.mapping::jsonb, options = erased.options::jsonb
    from json_to_recordset(${JSON.stringify(texts)}::json)
      as erased (id uuid, filename text, columns text, mapping text, options text)
    where import.id = erased.id
  `.execute(tx)
}

type ErasedRecords = { lead_ids: readonly string[]; contact_ids: readonly string[] }
export type RowPosition = { importId: string; rowNo: number }

/** Reads a bounded number of rows and empties those that are about the person. Returns where to continue. */
export async function eraseImportRows(
  tx: TenantTx,
  { lead_ids, contact_ids }: ErasedRecords,
  mentions: readonly string[],
  after: RowPosition = { importId: nilUuid, rowNo: 0 },
): Promise<{ erased: number; next: RowPosition | null }> {
  const ids = [...lead_ids, ...contact_ids]
  const { rows } = await sql<{ erased: number; import_id: string | null; row_no: number | null }>`
    with scanned as materialized (
      select import_id, row_no, record_id, concat_ws(' ', cells::text, errors::text, before::text,
          array_to_string(array(select jsonb_array_elements_text(cells)), ' ')) as text
      from crm.import_rows
      where (import_id, row_no) > (${after.importId}::uuid, ${after.rowNo}::integer)
      order by import_id, row_no limit ${sql.lit(rowsPerScan)}
    ), erased as (
      update crm.import_rows row set cells = '[]', problem = 'erased', errors = null, warnings = null, before = null, match_hash = null
      from scanned
      where row.import_id = scanned.import_id and row.row_no = scanned.row_no and row.problem is distinct from 'erased'
        and (scanned.record_id = any (${ids}::uuid[]) or ${containsAnyText(sql`scanned.text`, mentions)})
      returning 1
    ), last as (
      select import_id, row_no from scanned order by import_id desc, row_no desc
      limit case when (select count(*) from scanned) = ${sql.lit(rowsPerScan)} then 1 else 0 end
    )
    select (select count(*)::integer from erased) as erased, last.import_id, last.row_no
    from (select 1) as one left join last on true
  `.execute(tx)
  const { erased, import_id, row_no } = rows[0]!
  return { erased, next: import_id === null ? null : { importId: import_id, rowNo: row_no! } }
}
