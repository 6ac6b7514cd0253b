import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueueDispatch } from './dispatch-job.ts'
import { insertEmails } from './email-messages.queries.ts'

export type NewEmail = {
  /** A message whose id exists is not queued again. */
  id?: string
  kind: string
  ref_id: string
  to: { address: string; name?: string | null }
  lead_id?: string | null
  contact_id?: string | null
  run_at: Date
  /** The day whose place the caller has taken (`takeEmailPlaces`). Otherwise the dispatcher takes one. */
  counted_on?: string | null
  /** The user who chose the recipient. Limits emails to addresses that are no lead or contact. */
  created_by?: string | null
}

/** Queues marketing emails, but none for sample data. Whether a recipient may be contacted is decided when a message is sent. */
export async function queueEmails(tx: TenantTx, emails: readonly NewEmail[]): Promise<string[]> {
  if (!emails.length || actorOf(tx).origin === 'sample') return []
  const rows = emails.map(({ id = newId(), to, lead_id = null, contact_id = null, ...email }) => ({
    counted_on: null,
    created_by: null,
    ...email,
    id,
    lead_id,
    contact_id,
    to_address: to.address,
    to_key: to.address.toLowerCase(),
    to_name: to.name?.slice(0, 200) ?? null,
  }))
  await insertEmails(tx, rows)
  await enqueueDispatch(tx, new Date(Math.min(...emails.map(({ run_at }) => run_at.getTime()))))
  return rows.map(({ id }) => id)
}
