import { defineJob } from '#platform/jobs'
import { Email, Id, strict } from '#platform/schema'

export const sendCodeJob = defineJob(
  'enablement.send_room_code',
  'mail',
  strict({ link_id: Id, email: Email, request_id: Id }),
)
