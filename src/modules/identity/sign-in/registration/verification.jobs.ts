import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { accountLinkUrl } from '../../credentials/emails/account-links.jobs.ts'
import { deliverEmail, findEmailRecipient } from '../../credentials/emails/deliver-email.jobs.ts'
import { verificationEmail } from '../../credentials/emails/email-texts.ts'
import { createOneTimeToken } from '../../credentials/tokens/one-time-tokens.service.ts'
import { lockUser } from '../../workspace/user-records/users.queries.ts'

const linkTtlDays = 1

const sendVerification = defineJob('identity.send_verification', 'mail', strict({ user_id: Id, request_id: Id }))

export const sendVerificationLater = (tx: TenantTx, userId: string): Promise<void> =>
  enqueue(tx, sendVerification, { user_id: userId, request_id: newId() })

export const registrationJobs = (services: Services): JobHandler[] => [
  defineJobHandler(sendVerification, (job, request) => sendVerificationEmail(services, job, request)),
]

type VerificationRequest = { user_id: string; request_id: string }

async function sendVerificationEmail(
  services: Services,
  job: JobContext,
  { user_id, request_id }: VerificationRequest,
): Promise<void> {
  const created = await job.inTenant(async (tx) => {
    // An email change waits for this lock and then invalidates the link, which would otherwise verify the new address.
    await lockUser(tx, user_id)
    const recipient = await findEmailRecipient(tx, user_id)
    if (!recipient || recipient.user.email_verified_at) return undefined
    const expiresAt = daysLater(services.clock.now(), linkTtlDays)
    const meta = { request: request_id }
    return {
      recipient,
      token: await createOneTimeToken(tx, { kind: 'email_verify', userId: user_id, expiresAt, meta }),
    }
  })
  if (!created) return

  const { recipient, token } = created
  const text = verificationEmail({
    workspace: recipient.tenant.name,
    url: accountLinkUrl(services, recipient, 'verify-email', token),
  })
  await deliverEmail(services, job, { recipient, text, messageId: `verification-${request_id}` })
}
