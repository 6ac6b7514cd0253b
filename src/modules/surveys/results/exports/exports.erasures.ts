import { systemClock } from '#platform/clock'
import { deleteFiles } from '#platform/files'
import type { Erasure, ErasureBatch } from '#platform/module'
import { listExportFileIds } from './exports.queries.ts'

/** Deletes the files of all exports, because each of them may contain the person. */
export const exportErasure: Erasure = {
  name: 'surveys.exports',
  async erase(tx, subject): Promise<ErasureBatch> {
    if ('user_id' in subject) return { counts: {} }
    const fileIds = await listExportFileIds(tx)
    const deleted = await deleteFiles(tx, { clock: systemClock }, fileIds, { retentionDays: 0 })
    return { counts: { 'platform.files': deleted } }
  },
}
