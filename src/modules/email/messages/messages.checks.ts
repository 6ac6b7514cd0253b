import { defineRecordCheck } from '#platform/module'
import { listUncertainEmailIds } from './email-messages.queries.ts'

export const uncertainEmailsCheck = defineRecordCheck({
  code: 'uncertain_email',
  title: 'Marketing email with an uncertain delivery',
  severity: 'warning',
  hint: 'A worker or connection failed while the email was sent. It may have arrived, so it is not sent again automatically.',
  resourceType: 'email_message',
  find: listUncertainEmailIds,
})
