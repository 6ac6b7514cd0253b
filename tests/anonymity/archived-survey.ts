import { sql } from 'kysely'
import { resetAnonymousSurveys } from '#modules/surveys'
import type { TenantTx } from '#platform/db'
import { listExportColumns, listSealedConditions, type Tables } from '#platform/module'
import { insertImportedRows } from '../../src/modules/operations/backups/import-rows.queries.ts'

const resultTables = [
  'counters',
  'responses',
  'answers',
  'answer_stats',
  'score_stats',
  'unreleased_responses',
  'used_tokens',
  'drafts',
].map((name) => `surveys.${name}`)

export type ArchivedSurvey = {
  status: unknown
  readable: string
  rows: Map<string, { columns: string[]; lines: string[] }>
}

/** Returns the rows of a survey that an archive of this moment has, without writing a file. */
export async function archiveSurvey(tx: TenantTx, tables: Tables, surveyId: string): Promise<ArchivedSurvey> {
  const own = Object.fromEntries(Object.entries(tables).filter(([table]) => table.startsWith('surveys.')))
  const [columnsOf, sealedOf] = [await listExportColumns(tx, own), listSealedConditions(own)]
  const rows: ArchivedSurvey['rows'] = new Map()
  const readable: string[] = []
  for (const [table, columns] of columnsOf) {
    const key = table === 'surveys.surveys' ? 'id' : 'survey_id'
    const isSealed = sealedOf.get(table) ?? sql<boolean>`false`
    const { rows: found } = await sql<{ line: string; is_sealed: boolean }>`
      select (select to_json(picked)::text from (select ${sql.join(columns.map((column) => sql.ref(column)))}) as picked) as line,
        ${isSealed} as is_sealed
      from ${sql.table(table)} where ${sql.ref(key)} = ${surveyId}::uuid
    `.execute(tx)
    rows.set(table, { columns, lines: found.map(({ line }) => line) })
    readable.push(...found.filter(({ is_sealed }) => !is_sealed).map(({ line }) => line))
  }
  const status = JSON.parse(rows.get('surveys.surveys')!.lines[0]!).status
  return { status, rows, readable: readable.join('\n') }
}

/** Brings the survey back to the moment of the archive, as a restore of the workspace does. */
export async function restoreSurvey(tx: TenantTx, surveyId: string, { status, rows }: ArchivedSurvey): Promise<void> {
  for (const table of resultTables.toReversed())
    await sql`delete from ${sql.table(table)} where survey_id = ${surveyId}::uuid`.execute(tx)
  await sql`update surveys.surveys set status = ${status}, closed_at = null, closed_reason = null where id = ${surveyId}::uuid`.execute(
    tx,
  )
  for (const table of resultTables) {
    const archived = rows.get(table)
    if (archived?.lines.length)
      await insertImportedRows(tx, {
        table,
        columns: archived.columns.filter((column) => column !== 'tenant_id'),
        randomColumns: [],
        json: `[${archived.lines.join(',')}]`,
        isComplement: false,
      })
  }
  await resetAnonymousSurveys(tx, '9999')
}
