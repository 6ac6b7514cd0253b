import type { TenantTx } from '#platform/db'
import { recordOptIns } from '../../people/consent/record-opt-in.service.ts'
import { recordOptOuts } from '../../people/consent/record-opt-out.service.ts'
import type { ContactRow } from '../../people/contacts/contacts.queries.ts'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import type { ImportOptions, RowMessage } from '../import-mapping/import.schemas.ts'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'
import type { ImportedRecord, ImportServices } from './import-kinds.ts'

export type StatedConsent = { row_no: number; record: ImportedRecord; stated: string; column: string | null }

type ConsentContext = { objectType: ImportedType; importId: string; options: ImportOptions; services: ImportServices }

const reasons = { unsubscribed: 'listed', bounced: 'bounced', complained: 'complained' } as const

/**
 * Applies `email_status` of locked records, and returns warnings by the number of their row. Only an unknown address is subscribed, and
 * of several rows of a record an opt-out prevails.
 */
export async function applyStatedConsent(
  tx: TenantTx,
  stated: readonly StatedConsent[],
  { objectType, importId, options: { basis }, services }: ConsentContext,
): Promise<Map<number, RowMessage>> {
  const source = `import ${importId}`
  const withEmail = stated.filter(({ record: { email } }) => email !== null)
  const peopleOf = (items: readonly StatedConsent[]) => {
    const records = [...new Map(items.map(({ record }) => [record.id, record])).values()]
    return objectType === 'lead'
      ? { leads: records as LeadRow[], contacts: [] }
      : { leads: [], contacts: records as ContactRow[] }
  }
  for (const [status, reason] of Object.entries(reasons)) {
    const items = withEmail.filter((item) => item.stated === status)
    const emails = items.map(({ record }) => record.email!)
    if (emails.length) await recordOptOuts(tx, services, { emails, reason, source }, peopleOf(items))
  }
  const optOuts = new Map(
    withEmail.filter(({ stated }) => isOptOut(stated)).map((item) => [item.record.id, item.stated]),
  )
  const subscribed = withEmail
    .filter((item) => item.stated === 'subscribed')
    .map((item) => ({ ...item, current: optOuts.get(item.record.id) ?? item.record.email_status }))
  const unknown = subscribed.filter(({ current }) => current === 'unknown')
  if (basis === 'consent' && unknown.length) {
    const emails = unknown.map(({ record }) => record.email!)
    await recordOptIns(tx, services, { emails, source }, peopleOf(unknown))
  }
  const isIgnored = ({ current }: SubscribedConsent) =>
    current !== 'subscribed' && !(current === 'unknown' && basis === 'consent')
  return new Map(subscribed.filter(isIgnored).map((item) => [item.row_no, toWarning(item)]))
}

const isOptOut = (status: string) => Object.hasOwn(reasons, status)

/** `current` is the status of the address after the opt-outs of the same rows. */
type SubscribedConsent = StatedConsent & { current: string }

function toWarning({ current, column }: SubscribedConsent): RowMessage {
  const field = 'email_status'
  if (current === 'unknown') {
    const message = 'The email address was not subscribed, because `basis` is not `consent`.'
    return { column, field, code: 'basis_required', message }
  }
  return { column, field, code: 'suppressed', message: `The email address stays \`${current}\`.` }
}
