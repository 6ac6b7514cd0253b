import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, enqueue, handleJob, type JobContext, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import { linkOf } from '../auth/account-links.jobs.ts'
import { deliver, readAddressee } from '../auth/deliver-mail.jobs.ts'
import { issueOneTimeToken } from '../auth/one-time-tokens.service.ts'
import { verificationText } from '../auth/security-mails.ts'
import { lockUser } from '../users/users.queries.ts'

const linkDays = 1

const sendVerification = defineJob('identity.send_verification', 'mail', strict({ user_id: Id, request_id: Id }))

export const sendVerificationLater = (tx: TenantTx, userId: string): Promise<void> =>
  enqueue(tx, sendVerification, { user_id: userId, request_id: newId() })

export const registrationJobs = (services: Services): JobHandler[] => [
  handleJob(sendVerification, (job, order) => mailVerification(services, job, order)),
]

type Order = { user_id: string; request_id: string }

async function mailVerification(services: Services, job: JobContext, { user_id, request_id }: Order): Promise<void> {
  const made = await job.inTenant(async (tx) => {
    // Whoever changes the address waits, and then closes this link too: it would prove the new address at the old one.
    await lockUser(tx, user_id)
    const addressee = await readAddressee(tx, user_id)
    if (!addressee || addressee.user.email_verified_at) return undefined
    const expiresAt = daysLater(services.clock.now(), linkDays)
    const meta = { request: request_id }
    return { addressee, token: await issueOneTimeToken(tx, { kind: 'email_verify', userId: user_id, expiresAt, meta }) }
  })
  if (!made) return

  const { addressee, token } = made
  const text = verificationText({
    workspace: addressee.tenant.name,
    url: linkOf(services, addressee, 'verify-email', token),
  })
  await deliver(services, job, { addressee, text, messageId: `verification-${request_id}` })
}
