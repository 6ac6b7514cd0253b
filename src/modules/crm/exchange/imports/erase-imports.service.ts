import { systemClock } from '#platform/clock'
import { type TenantTx, withRolledBackSavepoint } from '#platform/db'
import { eraseMentions, mentionsOf, toMentionPattern } from '#platform/erasure'
import { deleteFilesNow } from '#platform/files'
import type { ErasedPerson, ErasureBatch } from '#platform/module'
import {
  eraseImportRows,
  listImportFiles,
  lockMentioningImports,
  lockUnstartedImportsShared,
  updateImportTexts,
} from './import-texts.queries.ts'

/**
 * Erases mentions from names and mappings, and deletes the files of all imports, because each of them may contain the person; files are
 * needed only until their rows are stored. Imports without a mention are not locked, so that users can go on with them.
 */
export async function eraseImportFiles(tx: TenantTx, person: ErasedPerson, after?: string): Promise<ErasureBatch> {
  const mentions = mentionsOf(person)
  const { ids, fileIds, next } = await listImportFiles(tx, after)
  await withRolledBackSavepoint(tx, () => lockUnstartedImportsShared(tx, ids))
  const mentioning = await lockMentioningImports(tx, ids, mentions)
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
  return { counts: { 'crm.imports': mentioning.length, 'platform.files': deleted }, ...(next && { next }) }
}

/** An import that is still running reports these rows as failed. */
export async function eraseRowsOfImports(tx: TenantTx, person: ErasedPerson, after?: string): Promise<ErasureBatch> {
  const [importId, rowNo] = after?.split(':') ?? []
  const position = importId && rowNo ? { importId, rowNo: Number(rowNo) } : undefined
  const { erased, next } = await eraseImportRows(tx, person, mentionsOf(person), position)
  return { counts: { 'crm.import_rows': erased }, ...(next && { next: `${next.importId}:${next.rowNo}` }) }
}
