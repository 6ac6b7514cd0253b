import { daysLater } from '#platform/clock'
import { retryOnContention } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import type { Services } from '#platform/module'
import { listExpiredVideoIds, listTenantsWithOldVideos } from './retention.queries.ts'
import { readVideoSettings } from './video-settings.ts'
import { deleteVideos } from './videos.service.ts'

const batchSize = 100
const shortestRetentionDays = 1

export const deletePitchVideosSchedule = ({ clock }: Pick<Services, 'clock'>) =>
  defineTenantSchedule('enablement.delete_pitch_videos', '53 3 * * *', {
    listTenants: (tx) => listTenantsWithOldVideos(tx, daysLater(clock.now(), -shortestRetentionDays)),
    async runForTenant({ inTenant, signal, log }) {
      let ids: string[]
      let deleted = 0
      do {
        signal.throwIfAborted()
        ids = await inTenant(async (tx) => {
          const { video_retention_days: videoDays, practice_retention_days: practiceDays } = await readVideoSettings(tx)
          return await listExpiredVideoIds(tx, { now: clock.now(), videoDays, practiceDays }, batchSize)
        })
        const batch = ids
        if (batch.length)
          deleted += await retryOnContention(() => inTenant((tx) => deleteVideos(tx, { clock }, batch)), signal)
      } while (ids.length === batchSize)
      if (deleted) log.info({ deleted }, 'deleted videos of pitches')
    },
  })
