import type { TenantTx } from '#platform/db'
import { defineJob, defineJobHandler, enqueue } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { revokeSessions } from '../../workspace/sessions/sessions.service.ts'

const endImpersonation = defineJob('identity.end_impersonation', 'events', strict({ session_id: Id }))

/** Expired sessions are rejected anyway; the job records and announces the end. */
export const endImpersonationLater = (tx: TenantTx, sessionId: string, expiresAt: Date): Promise<void> =>
  enqueue(tx, endImpersonation, { session_id: sessionId }, { startAfter: expiresAt })

export const endImpersonationHandler = defineJobHandler(endImpersonation, async (job, { session_id }) => {
  await job.inTenant((tx) => revokeSessions(tx, [session_id], 'expired'))
})
