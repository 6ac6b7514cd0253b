import type { Erasure } from '#platform/module'
import { deleteFlowRecordsOfPerson, deleteMembersOfPerson } from './segment-erasure.queries.ts'

export const segmentErasure: Erasure = {
  name: 'marketing.segments',
  async erase(tx, subject) {
    if ('user_id' in subject) return { counts: {} as Record<string, number> }
    const members = await deleteMembersOfPerson(tx, subject)
    const flowRecords = await deleteFlowRecordsOfPerson(tx, subject)
    return { counts: { 'marketing.segment_members': members, 'marketing.segment_flow_records': flowRecords } }
  },
}
