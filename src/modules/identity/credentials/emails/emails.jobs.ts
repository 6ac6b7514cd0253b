import { Type } from 'typebox'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, defineJobHandler, enqueue, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, nullable, strict } from '#platform/schema'
import { sendSecurityNoticeEmail } from './access-notices.jobs.ts'
import { sendInviteEmail, sendPasswordResetEmail, sendRequestedPasswordReset } from './account-links.jobs.ts'
import { type NoticeDetails, type SecurityNotice, securityNotices } from './email-texts.ts'

// `request_id` makes the jobs idempotent. Tokens are created by the worker, so that none is stored in the queue.
const NoticeFields = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 600 }))
const Invite = strict({ user_id: Id, request_id: Id })
const Reset = strict({ user_id: Id, request_id: Id, requested_by: nullable(Id) })
const ResetRequest = strict({ email: Type.String({ maxLength: 254 }), request_id: Id })
const Notice = strict({ user_id: Id, request_id: Id, notice: Type.Enum([...securityNotices]), details: NoticeFields })

const sendInvite = defineJob('identity.send_invite', 'mail', Invite)
const sendPasswordReset = defineJob('identity.send_password_reset', 'mail', Reset)
const sendRequestedReset = defineJob('identity.answer_forgotten_password', 'mail', ResetRequest)
const sendSecurityNotice = defineJob('identity.send_security_notice', 'mail', Notice)

export const sendInviteLater = (tx: TenantTx, userId: string): Promise<void> =>
  enqueue(tx, sendInvite, { user_id: userId, request_id: newId() })

export const sendPasswordResetLater = (tx: TenantTx, userId: string): Promise<void> =>
  enqueue(tx, sendPasswordReset, { user_id: userId, request_id: newId(), requested_by: actorOf(tx).userId })

export async function requestPasswordReset(tx: TenantTx, email: string): Promise<{ status: 'accepted' }> {
  await enqueue(tx, sendRequestedReset, { email, request_id: newId() })
  return { status: 'accepted' }
}

export const sendSecurityNoticeLater = (
  tx: TenantTx,
  userId: string,
  notice: SecurityNotice,
  details: NoticeDetails,
): Promise<void> => enqueue(tx, sendSecurityNotice, { user_id: userId, request_id: newId(), notice, details })

export const emailJobHandlers = (services: Services): JobHandler[] => [
  defineJobHandler(sendInvite, (job, data) => sendInviteEmail(services, job, data)),
  defineJobHandler(sendPasswordReset, (job, data) => sendPasswordResetEmail(services, job, data)),
  defineJobHandler(sendRequestedReset, (job, data) => sendRequestedPasswordReset(services, job, data)),
  defineJobHandler(sendSecurityNotice, (job, data) => sendSecurityNoticeEmail(services, job, data)),
]
