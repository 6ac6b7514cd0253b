import { defineJobHandler, type JobHandler } from '#platform/jobs'
import { listPendingIds, lockInvitations, markRevoked } from '../invitations/invitations.queries.ts'
import { revokePending } from './revoke-job.ts'

const batchSize = 1_000

/** Revokes the invitations of a cancelled distribution whose email was not sent. */
export const revokeInvitationsHandler: JobHandler = defineJobHandler(
  revokePending,
  async ({ inTenant, signal }, { distribution_id }) => {
    for (let found = batchSize; found === batchSize; ) {
      signal.throwIfAborted()
      found = await inTenant(async (tx) => {
        const ids = await listPendingIds(tx, distribution_id, batchSize)
        await lockInvitations(tx, ids)
        await markRevoked(tx, ids)
        return ids.length
      })
    }
  },
)
