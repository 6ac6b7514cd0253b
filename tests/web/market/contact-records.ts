import { createHash } from 'node:crypto'
import { newId } from '#platform/ids'
import type { Workspace } from '../web-pages.ts'

/** What the tabs of a contact show: an activity, a consent with its history, and a value that a provider has found. */
export async function fillContact({ admin, id: tenantId, sql }: Workspace, contactId: string): Promise<void> {
  const path = `/api/contacts/${contactId}`
  await admin.post(`${path}/activities`, { type: 'note', body: 'Asked for the price of 40 seats.' })
  const consent = (fields: object) =>
    admin.put(`${path}/consent`, { basis: 'consent', source: 'Trade fair', ...fields })
  await consent({ email_status: 'subscribed', evidence: 'Send me the news by email.' })
  await consent({ call_status: 'do_not_call', source: 'Call on Monday' })
  await sql(
    `insert into marketing.enrichment_suggestions
       (tenant_id, id, entity_type, entity_id, field, current_value, suggested_value, value_hash, provider, confidence)
     values ($1, $2, 'contact', $3, 'title', '"Buyer"', '"Head of Energy Purchasing"', $4, 'people_data', 0.9)`,
    [tenantId, newId(), contactId, createHash('sha256').update('title').digest()],
  )
}
