import type { TenantTx } from '#platform/db'
import { defineJob, enqueue, handleJob } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { endSessions } from '../sessions/sessions.service.ts'

const endImpersonation = defineJob('identity.end_impersonation', 'events', strict({ session_id: Id }))

/** The gate refuses it from that moment on by itself. This is so that everybody else hears of the end. */
export const endImpersonationLater = (tx: TenantTx, sessionId: string, expiresAt: Date): Promise<void> =>
  enqueue(tx, endImpersonation, { session_id: sessionId }, { startAfter: expiresAt })

/** One that ended before its time is left as it is. */
export const endingImpersonations = handleJob(endImpersonation, async (job, { session_id }) => {
  await job.inTenant((tx) => endSessions(tx, [session_id], 'expired'))
})
