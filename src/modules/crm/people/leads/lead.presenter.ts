import { definePresenter } from '#platform/module'
import { Lead } from '../lead-records/leads.schemas.ts'
import { listLeadDetails } from './lead-details.service.ts'

export const leadPresenter = definePresenter({
  subjectType: 'lead',
  schema: Lead,
  list: async (tx, ids, now) => (await listLeadDetails(tx, ids, now)).map((lead) => [lead.id, lead]),
})
