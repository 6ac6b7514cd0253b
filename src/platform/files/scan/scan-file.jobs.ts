import { recordAudit } from '#platform/audit'
import { defineJob, defineJobHandler } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { storageKey } from '#platform/storage'
import { requestPreviews } from '../derive/request-previews.ts'
import { findFile, updateScanOutcome } from '../files.queries.ts'
import { type FilesContext, getPurpose } from '../purposes.ts'

export const scanFileJob = defineJob('platform.scan_file', 'media', strict({ file_id: Id }))

export const scanFileHandler = ({ storage, scanner, clock, purposes }: FilesContext) =>
  defineJobHandler(
    scanFileJob,
    async ({ inTenant, tenantId, log }, { file_id: id }) => {
      const file = await inTenant((tx) => findFile(tx, id))
      if (file?.scan_status !== 'pending') return
      const key = storageKey(tenantId, file.storage_area, id)
      const result = scanner ? await scanner.scan((await storage.get(key)).stream) : null
      const scannedAt = { scanned_at: clock.now() }
      if (!result || result.isClean) {
        const scan_status = result ? 'clean' : 'skipped'
        await inTenant(async (tx) => {
          const scanned = await updateScanOutcome(tx, id, { scan_status, ...scannedAt })
          if (!scanned) return
          await getPurpose(purposes, file.purpose).onReady?.(tx, scanned)
          if (scanned.preview_state === 'pending') await requestPreviews(tx, id)
        })
        return
      }
      await storage.put(storageKey(tenantId, 'quarantine', id), (await storage.get(key)).stream)
      await inTenant(async (tx) => {
        const quarantined = await updateScanOutcome(tx, id, {
          scan_status: 'infected',
          scan_signature: result.signature,
          storage_area: 'quarantine',
          ...scannedAt,
        })
        if (!quarantined) return
        const after = { scan_status: 'infected', scan_signature: result.signature }
        await recordAudit(tx, 'file.quarantined', { id, label: file.filename, after })
        await getPurpose(purposes, file.purpose).onQuarantined?.(tx, quarantined)
      })
      await storage.delete(key)
      log.warn({ file_id: id, signature: result.signature }, 'an infected file was quarantined')
    },
    {
      onDeadLetter: async ({ inTenant }, { file_id: id }) => {
        await inTenant((tx) => updateScanOutcome(tx, id, { scan_status: 'failed', scanned_at: clock.now() }))
      },
    },
  )
