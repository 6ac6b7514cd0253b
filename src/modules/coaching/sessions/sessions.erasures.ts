import type { Erasure, ErasureBatch } from '#platform/module'
import { clearCoach, deleteSessions, lockSessionsOf } from './sessions.queries.ts'

/** A session can have 121 messages, which are deleted with it. */
const batchSize = 100

/** Deletes the sessions of a seller. Sessions of other sellers lose only the name of the erased coach. */
export const sessionErasure: Erasure = {
  name: 'enablement.coaching_sessions',
  async erase(tx, subject): Promise<ErasureBatch> {
    if (!('user_id' in subject)) return { counts: {} }
    const own = await lockSessionsOf(tx, 'rep_id', subject.user_id, batchSize)
    await deleteSessions(tx, own)
    const coached = own.length ? [] : await lockSessionsOf(tx, 'coach_id', subject.user_id, batchSize)
    await clearCoach(tx, coached)
    const erased = own.length + coached.length
    return { counts: { 'enablement.coaching_sessions': erased }, ...(erased && { next: 'sessions' }) }
  },
}
