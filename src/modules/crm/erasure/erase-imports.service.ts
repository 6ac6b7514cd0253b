import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { deleteFilesNow } from '#platform/files'
import type { ErasedPerson, ErasureBatch } from '#platform/module'
import { eraseImportRows, lockImportTexts, updateImportTexts } from '../imports/import-texts.queries.ts'
import { eraseMentions, mentionsOf, toMentionPattern } from './mentions.rules.ts'

/** Deletes the files of all imports, because each of them may contain the person, and erases mentions from names and mappings. */
export async function eraseImportFiles(tx: TenantTx, person: ErasedPerson): Promise<ErasureBatch> {
  const mentions = mentionsOf(person)
  const { fileIds, mentioning } = await lockImportTexts(tx, mentions)
  const pattern = toMentionPattern(mentions)
  await updateImportTexts(
    tx,
    mentioning.map(({ id, filename, columns, mapping, options }) => ({
      id,
      filename: eraseMentions(filename, pattern),
      columns: eraseMentions(columns, pattern),
      mapping: eraseMentions(mapping, pattern),
      options: eraseMentions(options, pattern),
    })),
  )
  const deleted = await deleteFilesNow(tx, { clock: systemClock }, fileIds)
  return { counts: { 'crm.imports': mentioning.length, 'platform.files': deleted } }
}

/** An import that is still running reports these rows as failed. */
export async function eraseRowsOfImports(tx: TenantTx, person: ErasedPerson, after?: string): Promise<ErasureBatch> {
  const [importId, rowNo] = after?.split(':') ?? []
  const position = importId && rowNo ? { importId, rowNo: Number(rowNo) } : undefined
  const { erased, next } = await eraseImportRows(tx, person, mentionsOf(person), position)
  return { counts: { 'crm.import_rows': erased }, ...(next && { next: `${next.importId}:${next.rowNo}` }) }
}
