import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import { CsvError, type CsvReadOptions, csvDelimiters, openCsv } from '#platform/csv'
import { inTenant, type TenantTx } from '#platform/db'
import { type AppError, invalid } from '#platform/errors'
import type { FileRow } from '#platform/files'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { isStorableText } from '#platform/schema'
import { importUploaded } from '../../crm.events.ts'
import { createFormCounter, type FileFacts } from '../import-mapping/file-facts.rules.ts'
import { delimiterNames, type RecordImport, type UploadFields } from '../import-mapping/import.schemas.ts'
import { type ImportedType, listImportFields } from '../import-mapping/import-fields.rules.ts'
import { suggestMapping, toColumnNames } from '../import-mapping/suggest-mapping.rules.ts'
import { countRepeatedValues, insertStagedRows, type StagedRow } from '../import-records/import-rows.queries.ts'
import { deleteImportRow, insertImport, updateImportRow } from '../import-records/imports.queries.ts'
import { importDays, maxRows } from '../import-records/imports.rules.ts'
import { getImportDetails } from './get-import.service.ts'
import { importPurpose } from './imports.purposes.ts'

type UploadServices = Pick<Services, 'clock' | 'db' | 'files' | 'log'>

const rowsPerInsert = 2_000

/** Stores the file and its rows. The rows are written in transactions of their own, because a file can have 200,000. */
export async function uploadImport(
  request: FastifyRequest,
  reply: FastifyReply,
  objectType: ImportedType,
  services: UploadServices,
): Promise<RecordImport | FastifyReply> {
  const { clock, db, files } = services
  const id = newId()
  const actor = request.actor as UserActor
  const inOwnTransaction = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, actor, work)
  const staging: Staging = { id, objectType, createdBy: actor.userId, inOwnTransaction, columns: [] }
  try {
    return await files.upload(request, reply, {
      purpose: importPurpose.name,
      deleteAfter: daysLater(clock.now(), importDays),
      read: (content, fields) => stageRows(content, staging, fields as UploadFields),
      save: (tx, file) => {
        if (!file) throw invalid('body', '/file', 'required', '`file` is required.')
        return saveImport(tx, staging, file)
      },
    })
  } catch (error) {
    await inOwnTransaction((tx) => deleteImportRow(tx, id)).catch((err: unknown) =>
      services.log.warn({ err }, 'the rows of a rejected import remain'),
    )
    throw error
  }
}

type Staging = {
  id: string
  objectType: ImportedType
  createdBy: string
  inOwnTransaction<T>(work: (tx: TenantTx) => Promise<T>): Promise<T>
  columns: string[]
}

async function stageRows(content: Readable, staging: Staging, given: UploadFields): Promise<void> {
  const { id, objectType, createdBy, inOwnTransaction } = staging
  try {
    const csv = await openCsv(content, { ...toReadOptions(given), maxRows: maxRows + 1, removeFormulaEscapes: true })
    const forms = createFormCounter()
    let batch: StagedRow[] = []
    let rowCount = 0
    const store = async () => {
      await inOwnTransaction((tx) => insertStagedRows(tx, id, batch))
      batch = []
    }
    for await (const { number, cells } of csv.rows) {
      if (!staging.columns.length) {
        staging.columns = toColumnNames(cells)
        const row = {
          id,
          object_type: objectType,
          filename: '',
          columns: JSON.stringify(staging.columns),
          created_by: createdBy,
        }
        await inOwnTransaction((tx) => insertImport(tx, row))
      } else {
        rowCount++
        forms.add(cells)
        if (batch.push(toStagedRow(number, cells)) === rowsPerInsert) await store()
      }
    }
    if (!rowCount) throw invalid('body', '/file', 'no_rows', '`file` must have a header and at least one row.')
    if (batch.length) await store()
    const { encoding, delimiter } = csv
    const isEncodingGuessed = encoding === 'windows-1252' && !given.encoding
    const repeated = await inOwnTransaction((tx) => findRepeatedAddresses(tx, staging))
    const facts: FileFacts = { ...forms.toFacts(), repeated, isEncodingGuessed }
    const fields = { encoding, delimiter, row_count: rowCount, file_facts: JSON.stringify(facts) }
    await inOwnTransaction((tx) => updateImportRow(tx, id, fields))
  } catch (error) {
    if (error instanceof CsvError) throw invalidFile(error)
    throw error
  }
}

const toReadOptions = ({ encoding, delimiter }: UploadFields): CsvReadOptions => ({
  ...(encoding && { encoding }),
  ...(delimiter && { delimiter: csvDelimiters[delimiterNames.indexOf(delimiter)]! }),
})

/** Rows of one address become one record, which its user may not expect of a placeholder. */
async function findRepeatedAddresses(
  tx: TenantTx,
  { id, objectType, columns }: Staging,
): Promise<FileFacts['repeated']> {
  const mapping = suggestMapping(columns, listImportFields(objectType, []))
  const column = mapping.findIndex(({ field }) => field === 'email')
  if (column < 0) return null
  const { rows, values } = await countRepeatedValues(tx, id, column)
  return rows ? { column, rows, values } : null
}

const invalidFile = ({ code, message }: CsvError): AppError =>
  invalid('body', '/file', code, `\`file\` must be a valid CSV file. ${message}`)

function toStagedRow(row_no: number, cells: string[]): StagedRow {
  if (cells.every(isStorableText)) return { row_no, cells, problem: null }
  const stored = cells.map((cell) => cell.replaceAll('\0', '').toWellFormed())
  return { row_no, cells: stored, problem: 'invalid_character' }
}

async function saveImport(tx: TenantTx, { id, objectType }: Staging, file: FileRow): Promise<RecordImport> {
  const row = await updateImportRow(tx, id, { state: 'uploaded', file_id: file.id, filename: file.filename })
  await recordAudit(tx, 'import.uploaded', { id, after: { object_type: objectType, row_count: row.row_count } })
  await emit(tx, importUploaded, { id }, { object_type: objectType, row_count: row.row_count })
  return await getImportDetails(tx, row)
}
