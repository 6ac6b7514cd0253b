import { defineJob } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

export const revokePending = defineJob('surveys.revoke_invitations', 'bulk', strict({ distribution_id: Id }))
