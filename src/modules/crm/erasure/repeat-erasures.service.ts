import { actorOf, type TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { findContactIncludingDeleted } from '../contacts/contacts.queries.ts'
import { findLeadIncludingDeleted } from '../lead-records/leads.queries.ts'
import { listErasuresCompletedSince } from './erasure-requests.queries.ts'
import { requestErasure } from './request-erasure.service.ts'

/** Erases people again whose records have come back from a backup that is older than their erasure. Returns their number. */
export async function repeatErasures(
  tx: TenantTx,
  since: Date,
  services: Pick<Services, 'clock' | 'secrets'>,
): Promise<number> {
  let repeated = 0
  for (const { record_type, record_id, keep_suppression } of await listErasuresCompletedSince(tx, since)) {
    const find = record_type === 'lead' ? findLeadIncludingDeleted : findContactIncludingDeleted
    const record = await find(tx, record_id)
    if (!record) continue
    const type = record_type === 'lead' ? 'lead' : 'contact'
    const person = { type, id: record_id, email_key: record.email_key } as const
    await requestErasure(tx, actorOf(tx), person, { keep_suppression }, services)
    repeated++
  }
  return repeated
}
