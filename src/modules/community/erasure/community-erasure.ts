import type { Erasure, ErasureBatch } from '#platform/module'
import { clearReportNotes } from './community-erasure.queries.ts'
import { eraseMentionsOfUser } from './erase-mentions.service.ts'
import { erasePersonFromPosts } from './erase-person.service.ts'

/** Posts of an erased user stay and show `Former member` as their author. */
export const communityErasure: Erasure = {
  name: 'community.posts',
  async erase(tx, subject, after): Promise<ErasureBatch> {
    if (!('user_id' in subject)) return { counts: {} }
    const notes = after === undefined ? await clearReportNotes(tx, subject.user_id) : 0
    const { mentions, hasMore } = await eraseMentionsOfUser(tx, subject.user_id)
    return {
      counts: { 'community.mentions': mentions, 'community.reports': notes },
      ...(hasMore && { next: 'mentions' }),
    }
  },
}

/** Posts that name an erased lead or contact stay without the name. */
const ofPersons = (kind: 'thread' | 'reply'): Erasure => ({
  name: `community.${kind}_texts`,
  requiresSystemRole: true,
  erase: async (tx, subject, after): Promise<ErasureBatch> =>
    'user_id' in subject ? { counts: {} } : await erasePersonFromPosts(tx, kind, subject, after),
})

export const postTextErasures: Erasure[] = [ofPersons('thread'), ofPersons('reply')]
