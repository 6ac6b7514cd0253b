import type { Erasure, ErasureBatch } from '#platform/module'
import { clearSearchMisses, deleteViewerOfUser, deleteViewsOfUser } from './erasures.queries.ts'

/** Deletes what a user has viewed. The counters of days stay, because they contain no names. */
export const contentErasures: Erasure[] = [
  {
    name: 'enablement.content_views',
    async erase(tx, subject): Promise<ErasureBatch> {
      if (!('user_id' in subject)) return { counts: {} }
      return {
        counts: {
          'enablement.content_viewers': await deleteViewerOfUser(tx, subject.user_id),
          'enablement.content_views': await deleteViewsOfUser(tx, subject.user_id),
          'enablement.content_search_misses': await clearSearchMisses(tx, subject.user_id),
        },
      }
    },
  },
]
