import type { Erasure, ErasureBatch } from '#platform/module'
import { deleteReadersOfUser } from '../readers/thread-readers.queries.ts'
import { deleteSuspensionRow } from '../suspensions/suspensions.queries.ts'
import { clearReportNotes } from './community-erasure.queries.ts'
import { eraseFormerLinksToUser, eraseLinksToUser, eraseMentionsOfUser } from './erase-mentions.service.ts'
import { erasePersonFromPosts } from './erase-person.service.ts'

/** Posts of an erased user stay and show `Former member` as their author. */
export const communityErasure: Erasure = {
  name: 'community.posts',
  async erase(tx, subject, after): Promise<ErasureBatch> {
    if (!('user_id' in subject)) return { counts: {} }
    const isFirst = after === undefined
    const notes = isFirst ? await clearReportNotes(tx, subject.user_id) : 0
    const suspensions = isFirst && (await deleteSuspensionRow(tx, subject.user_id)) ? 1 : 0
    const readers = isFirst ? await deleteReadersOfUser(tx, subject.user_id) : 0
    const { mentions, hasMore } = await eraseMentionsOfUser(tx, subject.user_id)
    return {
      counts: {
        'community.mentions': mentions,
        'community.reports': notes,
        'community.suspensions': suspensions,
        'community.thread_readers': readers,
      },
      ...(hasMore && { next: 'mentions' }),
    }
  },
}

/** Posts that name an erased lead or contact, or link to an erased user, stay without the name. */
const ofTexts = (kind: 'thread' | 'reply'): Erasure => ({
  name: `community.${kind}_texts`,
  requiresSystemRole: true,
  erase: async (tx, subject, after): Promise<ErasureBatch> =>
    'user_id' in subject
      ? await eraseLinksToUser(tx, kind, subject.user_id, after)
      : await erasePersonFromPosts(tx, kind, subject, after),
})

/** Runs after the texts, so that no later edit records a former text with the name. */
const ofFormerTexts = (kind: 'thread' | 'reply'): Erasure => ({
  name: `community.${kind}_former_texts`,
  requiresSystemRole: true,
  erase: async (tx, subject, after): Promise<ErasureBatch> =>
    'user_id' in subject ? await eraseFormerLinksToUser(tx, kind, subject.user_id, after) : { counts: {} },
})

export const postTextErasures: Erasure[] = [
  ofTexts('thread'),
  ofTexts('reply'),
  ofFormerTexts('thread'),
  ofFormerTexts('reply'),
]
