import {
  updateAccountActivity,
  updateContactActivity,
  updateLeadActivity,
  updateOpportunityActivity,
} from '../../api/access.gen.ts'
import { api, ifMatch, read, type Schemas } from '../../api/client.ts'
import { type Me, may } from '../../session/me.ts'

export type OpenTask = Schemas['OpenTask']
type TaskChanges = Schemas['UpdateLeadActivityRequest']

const accessOf = {
  lead: updateLeadActivity,
  contact: updateContactActivity,
  account: updateAccountActivity,
  opportunity: updateOpportunityActivity,
} as const

export const mayChangeTask = (me: Me, { record }: OpenTask): boolean => may(me, accessOf[record.type])

/** Changes an open task of any kind of record. */
export function changeTask(
  { id, version, record }: Pick<OpenTask, 'id' | 'version' | 'record'>,
  body: TaskChanges,
): Promise<Schemas['Activity']> {
  const headers = ifMatch(version)
  const path = { activity_id: id, lead_id: record.id, contact_id: record.id, account_id: record.id }
  const options = { params: { path: { ...path, opportunity_id: record.id } }, headers, body }
  if (record.type === 'lead') return read(api.PATCH('/api/leads/{lead_id}/activities/{activity_id}', options))
  if (record.type === 'contact') return read(api.PATCH('/api/contacts/{contact_id}/activities/{activity_id}', options))
  if (record.type === 'account') return read(api.PATCH('/api/accounts/{account_id}/activities/{activity_id}', options))
  return read(api.PATCH('/api/opportunities/{opportunity_id}/activities/{activity_id}', options))
}
