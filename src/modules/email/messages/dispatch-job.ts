import { Type } from 'typebox'
import type { TenantTx } from '#platform/db'
import { defineJob, enqueue } from '#platform/jobs'

export const dispatchEmails = defineJob('crm.dispatch_emails', 'outreach', Type.Object({}))

/** Enqueues the dispatcher of the workspace, unless one already waits that starts early enough. */
export const enqueueDispatch = (tx: TenantTx, startAfter: Date): Promise<void> =>
  enqueue(tx, dispatchEmails, {}, { startAfter, singletonKey: 'dispatch' })
