import type { UserActor } from '#platform/access'
import { CsvError, openCsv } from '#platform/csv'
import { invalid } from '#platform/errors'
import type { RequestTransaction } from '#platform/http'
import type { StartedTask } from '#platform/tasks'
import { emailSubject } from '../consent/find-consent.service.ts'
import { startUpload } from './suppressions.jobs.ts'
import { defaultSource, emptyUpload, isEmailAddress, maxUploadedRows, tooLargeUpload } from './suppressions.rules.ts'
import type { SuppressionUpload } from './suppressions.schemas.ts'

export async function uploadSuppressions(
  actor: UserActor,
  { csv, source = defaultSource }: SuppressionUpload,
  inRequestTransaction: RequestTransaction,
): Promise<StartedTask> {
  const { emails, invalidRows } = await readAddresses(csv)
  return await inRequestTransaction((tx) => startUpload(tx, actor, { emails, source, invalidRows }))
}

async function readAddresses(csv: string): Promise<{ emails: string[]; invalidRows: number[] }> {
  const emails = new Set<string>()
  const invalidRows: number[] = []
  let [column, rowCount] = [0, 0]
  try {
    const { rows } = await openCsv(toBytes(csv), { maxRows: maxUploadedRows + 1, encoding: 'utf-8' })
    for await (const { number, cells } of rows) {
      const header = number === 1 ? cells.findIndex((cell) => cell.trim().toLowerCase() === 'email') : -1
      const text = emailSubject((cells[column] ?? '').trim())
      if (header >= 0) column = header
      else if (number === 1 && !isEmailAddress(text)) continue
      else if (++rowCount > maxUploadedRows) throw tooLargeUpload()
      else if (isEmailAddress(text)) emails.add(text)
      else invalidRows.push(number)
    }
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    if (error.code === 'too_many_rows') throw tooLargeUpload()
    throw invalid('body', '/csv', error.code, `\`csv\` must be a valid CSV file. ${error.message}`)
  }
  if (!emails.size) throw emptyUpload()
  return { emails: [...emails], invalidRows }
}

async function* toBytes(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
