import { findUserEmails } from '#modules/identity'
import type { UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { newId } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { getCadenceRow } from '../cadence-records/cadences.queries.ts'
import type { SentTestEmail, TestEmailRequest } from './cadence-templates.schemas.ts'
import { readStepTemplate, renderForPerson } from './render-template.service.ts'
import { sendTestEmailJob } from './test-email-job.ts'

/** Renders the email to find what is missing; the job renders it again, because a payload has no texts. */
export async function sendTestEmail(
  tx: TenantTx,
  { userId }: UserActor,
  cadenceId: string,
  { step_id, lead_id, contact_id }: TestEmailRequest,
): Promise<SentTestEmail> {
  const { id: cadence_id } = await getCadenceRow(tx, cadenceId)
  const template = await readStepTemplate(tx, cadence_id, step_id)
  const { missing } = await renderForPerson(tx, userId, template, { lead_id, contact_id })
  if (missing !== null)
    throw invalid(
      'body',
      lead_id ? '/lead_id' : '/contact_id',
      'missing_variable',
      `The person has no value for \`${missing}\`, and the template has no fallback for it.`,
    )
  const sent_to = (await findUserEmails(tx, [userId])).get(userId)!
  const person = lead_id ? { lead_id } : { contact_id }
  await enqueue(tx, sendTestEmailJob, { cadence_id, step_id, user_id: userId, ...person, request_id: newId() })
  return { sent_to }
}
