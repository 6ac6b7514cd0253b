import { type Clock, daysLater } from '#platform/clock'
import { repeatUntilEmpty, retryOnContention } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { defineTenantSchedule } from '#platform/jobs'
import { markdownVersion } from '#platform/markdown'
import { restorableDays } from '../moderation/restore-posts.service.ts'
import { purgeReplies, purgeThreads, reconcileThreads, renderOldPosts } from './maintenance.service.ts'
import {
  listTenantsWithChangedThreads,
  listTenantsWithDeletedPosts,
  listTenantsWithOldHtml,
} from './purge-posts.queries.ts'
import { batchSize, listChangedThreadIds } from './reconcile.queries.ts'

type WithClock = { clock: Clock }

/** A day and a margin, so that no change is missed between two nights. */
const reconciledDays = 1.5

/** Counters are changed with their replies; a difference is a defect, which is corrected and logged. */
export const reconcileSchedule = ({ clock }: WithClock) =>
  defineTenantSchedule('community.reconcile', '47 2 * * *', {
    listTenants: (tx) => listTenantsWithChangedThreads(tx, daysLater(clock.now(), -reconciledDays)),
    async runForTenant({ inTenant, signal, log }) {
      const since = daysLater(clock.now(), -reconciledDays)
      let ids: string[] = []
      do {
        signal.throwIfAborted()
        const after = ids.at(-1) ?? nilUuid
        ids = await inTenant((tx) => listChangedThreadIds(tx, since, after))
        const page = ids
        for (const { id, ...drift } of await retryOnContention(
          () => inTenant((tx) => reconcileThreads(tx, page)),
          signal,
        ))
          log.error({ thread_id: id, ...drift }, 'counters of a thread differed from its replies')
      } while (ids.length === batchSize)
    },
  })

export const purgePostsSchedule = ({ clock }: WithClock) =>
  defineTenantSchedule('community.purge_posts', '23 3 * * *', {
    listTenants: (tx) => listTenantsWithDeletedPosts(tx, daysLater(clock.now(), -restorableDays)),
    async runForTenant({ inTenant, signal, log }) {
      const now = clock.now()
      const input = { before: daysLater(now, -restorableDays), now }
      let purged = 0
      for (const purge of [purgeThreads, purgeReplies]) {
        const purgeBatch = () => retryOnContention(() => inTenant((tx) => purge(tx, input)), signal)
        purged += await repeatUntilEmpty(purgeBatch, signal)
      }
      if (purged) log.info({ purged }, 'purged deleted posts')
    },
  })

/** Renders posts again whose HTML is of an older version of the renderer. */
export const renderPostsSchedule = defineTenantSchedule('community.render_posts', '11 4 * * *', {
  listTenants: (tx) => listTenantsWithOldHtml(tx, markdownVersion),
  async runForTenant({ inTenant, signal, log }) {
    const renderBatch = () => retryOnContention(() => inTenant(renderOldPosts), signal)
    const rendered = await repeatUntilEmpty(renderBatch, signal)
    if (rendered) log.info({ rendered }, 'rendered posts again')
  },
})
