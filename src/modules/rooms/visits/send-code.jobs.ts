import { getTenant, readSettings } from '#modules/identity'
import { defineJobHandler } from '#platform/jobs'
import { MailError, renderMail } from '#platform/mail'
import type { Services } from '#platform/module'
import { findLink } from '../links/links.queries.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { createCode } from './codes.service.ts'
import { sendCodeJob } from './send-code-job.ts'

/** The name of the room is not in the email, because the visitor has not entered yet. */
export const sendCodeHandler = ({ mailer, clock, config, usage }: Services, tokens: VisitTokens) =>
  defineJobHandler(sendCodeJob, async ({ inTenant, tenantId, log }, { link_id, email, request_id }) => {
    const sent = await inTenant(async (tx) => {
      const link = await findLink(tx, link_id)
      const code = link && (await createCode(tx, tokens, { link, email, now: clock.now() }))
      return code && { code, tenant: await getTenant(tx), branding: await readSettings(tx, 'branding') }
    })
    if (!sent) return
    const { code, tenant, branding } = sent
    try {
      await mailer.send({
        to: { name: null, address: email },
        subject: `Your code: ${code}`,
        ...renderMail({
          workspace: { name: tenant.name, branding },
          title: 'Your code',
          paragraphs: [
            `Enter this code to open the page that ${tenant.name} shared with you: ${code}`,
            'The code is valid for 10 minutes. If you did not request it, ignore this email.',
          ],
        }),
        fromName: branding.email_from_name ?? tenant.name,
        messageId: `<room-code-${request_id}@${config.APP_DOMAIN}>`,
      })
      usage.count(tenantId, 'emails_sent')
    } catch (error) {
      if (!(error instanceof MailError) || !error.isPermanent) throw error
      log.warn({ link_id }, 'email was rejected permanently')
    }
  })
