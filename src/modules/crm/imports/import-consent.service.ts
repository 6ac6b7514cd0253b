import type { TenantTx } from '#platform/db'
import { recordOptIns } from '../consent/record-opt-in.service.ts'
import { recordOptOuts } from '../consent/record-opt-out.service.ts'
import type { ContactRow } from '../contacts/contacts.queries.ts'
import type { ImportOptions, RowMessage } from '../import-mapping/import.schemas.ts'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'
import type { LeadRow } from '../lead-records/leads.queries.ts'
import type { ImportedRecord, ImportServices } from './import-kinds.ts'

export type StatedConsent = { record: ImportedRecord; stated: string; column: string | null }

type ConsentContext = { objectType: ImportedType; importId: string; options: ImportOptions; services: ImportServices }

const reasons = { unsubscribed: 'listed', bounced: 'bounced', complained: 'complained' } as const

/** Applies `email_status` of locked records, and returns warnings by record id. Only an unknown address is subscribed. */
export async function applyStatedConsent(
  tx: TenantTx,
  stated: readonly StatedConsent[],
  { objectType, importId, options: { basis }, services }: ConsentContext,
): Promise<Map<string, RowMessage>> {
  const source = `import ${importId}`
  const withEmail = stated.filter(({ record: { email } }) => email !== null)
  const peopleOf = (items: readonly StatedConsent[]) => {
    const records = items.map(({ record }) => record)
    return objectType === 'lead'
      ? { leads: records as LeadRow[], contacts: [] }
      : { leads: [], contacts: records as ContactRow[] }
  }
  for (const [status, reason] of Object.entries(reasons)) {
    const items = withEmail.filter((item) => item.stated === status)
    const emails = items.map(({ record }) => record.email!)
    if (emails.length) await recordOptOuts(tx, services, { emails, reason, source }, peopleOf(items))
  }
  const subscribed = withEmail.filter((item) => item.stated === 'subscribed')
  const unknown = subscribed.filter(({ record }) => record.email_status === 'unknown')
  if (basis === 'consent' && unknown.length) {
    const emails = unknown.map(({ record }) => record.email!)
    await recordOptIns(tx, services, { emails, source }, peopleOf(unknown))
  }
  const isIgnored = ({ record: { email_status } }: StatedConsent) =>
    email_status !== 'subscribed' && !(email_status === 'unknown' && basis === 'consent')
  return new Map(subscribed.filter(isIgnored).map((item) => [item.record.id, toWarning(item)]))
}

function toWarning({ record: { email_status }, column }: StatedConsent): RowMessage {
  const field = 'email_status'
  if (email_status === 'unknown') {
    const message = 'The email address was not subscribed, because `basis` is not `consent`.'
    return { column, field, code: 'basis_required', message }
  }
  return { column, field, code: 'suppressed', message: `The email address stays \`${email_status}\`.` }
}
