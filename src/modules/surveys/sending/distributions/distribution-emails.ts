import type { EmailKind } from '#modules/email'
import type { TenantTx } from '#platform/db'
import { lockInvitations } from '../invitations/invitations.queries.ts'
import { invitationEmails, reminderEmails } from '../survey-emails/survey-emails.ts'
import { lockDistributions, updateDistributionRow } from './distributions.queries.ts'
import { extendInvitations, listPostponedDistributions, type PostponedEmail } from './postponed-emails.queries.ts'

/** Emails above a daily limit are sent on the next days, and their distribution says so. */
export const distributionEmails: EmailKind[] = [
  {
    ...invitationEmails,
    async onPostponed(tx, emails) {
      await postponeDistributions(tx, emails)
      const ids = emails.map(({ ref_id }) => ref_id)
      await lockInvitations(tx, ids)
      await extendInvitations(tx, emails)
    },
  },
  { ...reminderEmails, onPostponed: postponeDistributions },
]

async function postponeDistributions(tx: TenantTx, emails: readonly PostponedEmail[]): Promise<void> {
  const times = await listPostponedDistributions(tx, emails)
  for (const { id } of await lockDistributions(tx, [...times.keys()]))
    await updateDistributionRow(tx, id, { continues_at: times.get(id) })
}
