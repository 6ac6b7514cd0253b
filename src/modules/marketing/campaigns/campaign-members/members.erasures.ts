import { definePersonErasure } from '#platform/module'
import { eraseMemberNotes } from './erase-members.queries.ts'

export const memberErasure = definePersonErasure('marketing.campaign_members', async (tx, person) => {
  return { counts: { 'marketing.campaign_members': await eraseMemberNotes(tx, person) } }
})
