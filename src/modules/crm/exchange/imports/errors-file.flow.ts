import { Readable } from 'node:stream'
import type { UserActor } from '#platform/access'
import { writeCsv } from '#platform/csv'
import type { RequestTransaction } from '#platform/http'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'
import { listFailedRows } from '../import-records/import-rows.queries.ts'
import type { ImportRecord } from '../import-records/imports.queries.ts'
import { getVisibleImport } from './get-import.service.ts'

const rowsPerRead = 1_000

/** Writes the failed rows with the columns of the file and the reasons, while they are read. */
export async function openErrorsFile(
  actor: UserActor,
  objectType: ImportedType,
  id: string,
  inRequestTransaction: RequestTransaction,
): Promise<Readable> {
  const row = await inRequestTransaction((tx) => getVisibleImport(tx, actor, objectType, id))
  const chunks = writeCsv(readFailedRows(row, inRequestTransaction), { hasBom: true })
  return Readable.from(chunks, { objectMode: false })
}

async function* readFailedRows(row: ImportRecord, inRequestTransaction: RequestTransaction) {
  yield [...row.columns, 'row', 'reason']
  for (let after = 0; ; ) {
    const rows = await inRequestTransaction((tx) => listFailedRows(tx, row, after, rowsPerRead))
    for (const { row_no, cells, errors } of rows) {
      const padded = row.columns.map((_, index) => cells[index] ?? '')
      yield [...padded, row_no, (errors ?? []).map(({ message }) => message).join(' ')]
    }
    if (rows.length < rowsPerRead) return
    after = rows.at(-1)!.row_no
  }
}
