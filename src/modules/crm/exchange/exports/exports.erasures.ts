import { systemClock } from '#platform/clock'
import { deleteFilesNow } from '#platform/files'
import { definePersonErasure, type ErasureBatch } from '#platform/module'
import { expireExports, lockUnexpiredExports } from './exports.queries.ts'

/** Ends all exports and deletes their files, because each of them may contain the person. */
export const exportErasure = definePersonErasure('crm.exports', async (tx): Promise<ErasureBatch> => {
  const now = systemClock.now()
  const exports = await lockUnexpiredExports(tx, now)
  if (!exports.length) return { counts: {} }
  const fileIds = exports.flatMap(({ file_id }) => file_id ?? [])
  await expireExports(
    tx,
    exports.map(({ id }) => id),
    now,
  )
  const deleted = await deleteFilesNow(tx, { clock: systemClock }, fileIds)
  return { counts: { 'crm.exports': exports.length, 'platform.files': deleted } }
})
