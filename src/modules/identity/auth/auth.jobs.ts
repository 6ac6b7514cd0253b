import { Type } from 'typebox'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { defineJob, enqueue, handleJob, type JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { Id, nullable, strict } from '#platform/schema'
import { answerForgotten, mailInvite, mailReset } from './account-links.jobs.ts'
import { type NoticeDetails, type SecurityNotice, securityNotices } from './security-mails.ts'
import { mailNotice } from './security-notices.jobs.ts'

// `request_id` names what was asked for, so that a job that runs twice is known for the same. Tokens are made by the worker:
// none ever lies in a queue.
const Details = Type.Record(Type.String({ maxLength: 40 }), Type.String({ maxLength: 600 }))
const Invite = strict({ user_id: Id, request_id: Id })
const Reset = strict({ user_id: Id, request_id: Id, requested_by: nullable(Id) })
const Forgotten = strict({ email: Type.String({ maxLength: 254 }), request_id: Id })
const Notice = strict({ user_id: Id, request_id: Id, notice: Type.Enum([...securityNotices]), details: Details })

const sendInvite = defineJob('identity.send_invite', 'mail', Invite)
const sendPasswordReset = defineJob('identity.send_password_reset', 'mail', Reset)
const answerForgottenPassword = defineJob('identity.answer_forgotten_password', 'mail', Forgotten)
const sendSecurityNotice = defineJob('identity.send_security_notice', 'mail', Notice)

export const sendInviteLater = (tx: TenantTx, userId: string): Promise<void> =>
  enqueue(tx, sendInvite, { user_id: userId, request_id: newId() })

export const sendPasswordResetLater = (tx: TenantTx, userId: string): Promise<void> =>
  enqueue(tx, sendPasswordReset, { user_id: userId, request_id: newId(), requested_by: actorOf(tx).userId })

/** The same work for every address: whether anybody has it is found out by the worker. */
export const answerForgottenPasswordLater = (tx: TenantTx, email: string): Promise<void> =>
  enqueue(tx, answerForgottenPassword, { email, request_id: newId() })

export const sendSecurityNoticeLater = (
  tx: TenantTx,
  userId: string,
  notice: SecurityNotice,
  details: NoticeDetails,
): Promise<void> => enqueue(tx, sendSecurityNotice, { user_id: userId, request_id: newId(), notice, details })

export const authJobs = (services: Services): JobHandler[] => [
  handleJob(sendInvite, (job, order) => mailInvite(services, job, order)),
  handleJob(sendPasswordReset, (job, order) => mailReset(services, job, order)),
  handleJob(answerForgottenPassword, (job, order) => answerForgotten(services, job, order)),
  handleJob(sendSecurityNotice, (job, order) => mailNotice(services, job, order)),
]
