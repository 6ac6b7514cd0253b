import { type Static, Type } from 'typebox'
import { defineJob } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

const payload = strict({
  cadence_id: Id,
  step_id: Id,
  user_id: Id,
  lead_id: Type.Optional(Id),
  contact_id: Type.Optional(Id),
  request_id: Id,
})
export type TestEmail = Static<typeof payload>

export const sendTestEmailJob = defineJob('marketing.send_test_email', 'mail', payload)
