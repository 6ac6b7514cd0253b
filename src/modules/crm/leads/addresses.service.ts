import type { TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { readCrmSettings } from '../settings/crm-settings.queries.ts'
import { findLeadIdByEmail, holdAddress } from './leads.queries.ts'

/** Whether the workspace wants an address to be that of one lead only. */
export async function areAddressesUnique(tx: TenantTx): Promise<boolean> {
  return (await readCrmSettings(tx)).duplicates.lead_email === 'reject'
}

/** Of two who come with the same address at once, the second one waits and finds the first. */
export async function assertAddressIsFree(tx: TenantTx, email: string, ownId?: string): Promise<void> {
  const emailKey = email.toLowerCase()
  await holdAddress(tx, emailKey)
  const existing = await findLeadIdByEmail(tx, emailKey)
  if (existing && existing !== ownId)
    throw conflict('already_exists', 'There is a lead with this e-mail address already.', { existing_id: existing })
}
