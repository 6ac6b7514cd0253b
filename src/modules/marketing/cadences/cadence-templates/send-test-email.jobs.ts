import { createTestMail } from '#modules/email'
import { findUserCards, findUserEmails } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { defineJobHandler } from '#platform/jobs'
import { type Mail, MailError } from '#platform/mail'
import type { Services } from '#platform/module'
import { readStepTemplate, renderForPerson } from './render-template.service.ts'
import { sendTestEmailJob, type TestEmail } from './test-email-job.ts'

/** Uses the mail server of cadences. The email is no message of a cadence, so that nothing counts it. */
export const sendTestEmailHandler = ({ outreachMailer, config, usage }: Services) =>
  defineJobHandler(sendTestEmailJob, async ({ inTenant, tenantId, log }, email) => {
    const mail = await inTenant((tx) => renderTestEmail(tx, email, config.APP_DOMAIN))
    if (!mail) return
    try {
      await outreachMailer.send(mail)
      usage.count(tenantId, 'emails_sent')
    } catch (error) {
      if (!(error instanceof MailError) || !error.isPermanent) throw error
      log.warn({ user_id: email.user_id }, 'email was rejected permanently')
    }
  })

/** Returns undefined if the step, the person or the user is gone since the request. */
async function renderTestEmail(tx: TenantTx, email: TestEmail, domain: string): Promise<Mail | undefined> {
  const { user_id, request_id } = email
  const [users, addresses] = await Promise.all([findUserCards(tx, [user_id]), findUserEmails(tx, [user_id])])
  const [user, address] = [users.get(user_id), addresses.get(user_id)]
  const content = await renderContent(tx, email)
  if (!user || address === undefined || !content) return undefined
  return await createTestMail(tx, {
    content: { ...content, fromName: user.name, replyTo: address },
    to: { name: user.name, address },
    messageId: `<cadence-test-${request_id}@${domain}>`,
  })
}

async function renderContent(tx: TenantTx, { cadence_id, step_id, user_id, lead_id, contact_id }: TestEmail) {
  try {
    const template = await readStepTemplate(tx, cadence_id, step_id)
    const { subject, text, html } = await renderForPerson(tx, user_id, template, { lead_id, contact_id })
    return subject === null || text === null || html === null ? undefined : { subject: `[Test] ${subject}`, text, html }
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
