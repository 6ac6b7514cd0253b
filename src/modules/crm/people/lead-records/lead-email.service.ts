import type { TenantTx } from '#platform/db'
import { type AppError, conflict } from '#platform/errors'
import { readCrmSettings } from '../../records/settings/crm-settings.queries.ts'
import { findLeadIdByEmail, lockLeadEmail } from './leads.queries.ts'

export async function mustLeadEmailsBeUnique(tx: TenantTx): Promise<boolean> {
  return (await readCrmSettings(tx)).duplicates.lead_email === 'reject'
}

export async function assertEmailIsUnused(tx: TenantTx, email: string, ownId?: string): Promise<void> {
  const emailKey = email.toLowerCase()
  await lockLeadEmail(tx, emailKey)
  const existing = await findLeadIdByEmail(tx, emailKey)
  if (existing && existing !== ownId) throw emailTaken(existing)
}

export const emailTaken = (existingId: string): AppError =>
  conflict('already_exists', 'Another lead already has this email address.', { existing_id: existingId })
