import { systemClock } from '#platform/clock'
import { deleteFiles } from '#platform/files'
import { definePersonErasure } from '#platform/module'
import { listExportFileIds } from './exports.queries.ts'

/** Deletes the files of all exports, because each of them may contain the person. */
export const exportErasure = definePersonErasure('surveys.exports', async (tx) => {
  const fileIds = await listExportFileIds(tx)
  const deleted = await deleteFiles(tx, { clock: systemClock }, fileIds, { retentionDays: 0 })
  return { counts: { 'platform.files': deleted } }
})
