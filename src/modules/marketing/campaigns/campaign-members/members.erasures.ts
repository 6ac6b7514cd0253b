import type { Erasure, ErasureBatch } from '#platform/module'
import { eraseMemberNotes } from './erase-members.queries.ts'

export const memberErasure: Erasure = {
  name: 'marketing.campaign_members',
  async erase(tx, subject): Promise<ErasureBatch> {
    if ('user_id' in subject) return { counts: {} }
    return { counts: { 'marketing.campaign_members': await eraseMemberNotes(tx, subject) } }
  },
}
