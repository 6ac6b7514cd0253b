import { findUserCards } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { threadReported } from '../community.events.ts'
import { hideReply, hideThread } from '../moderation/hide-posts.service.ts'
import { findReply, type ReplyRow } from '../replies/replies.queries.ts'
import { assertReadable, assertWritable, isModeratorOf, type RoomAccess } from '../rooms/room-access.rules.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { lockThread, type ThreadKey, type ThreadRow } from '../threads/threads.queries.ts'
import { getThreadAccess } from '../threads/threads.service.ts'
import { notifyModerators } from './report-notifications.ts'
import { countOpenReports, getReportOfReporter, insertReport, type ReportRow } from './reports.queries.ts'
import type { NewThreadReport, OwnThreadReport } from './reports.schemas.ts'

/** A post with this many open reports is hidden until a moderator decides. */
const hidingReports = 3

type CreatedReport = { report: OwnThreadReport; isNew: boolean }

/** Returns the existing report if the user has reported the post before. */
export async function createThreadReport(
  tx: TenantTx,
  actor: UserActor,
  threadId: string,
  { reply_id, reason, note }: NewThreadReport,
  now: Date,
): Promise<CreatedReport> {
  await assertNotSuspended(tx, actor)
  const { access, key } = await getThreadAccess(tx, actor, threadId)
  assertReadable(access)
  const thread = await lockThread(tx, key)
  assertWritable(access)
  const reply = reply_id === undefined ? undefined : await getReportedReply(tx, key, reply_id)
  const post = { threadId, replyId: reply?.id ?? null }
  const report = await insertReport(tx, {
    id: newId(),
    thread_id: threadId,
    reply_id: post.replyId,
    reporter_id: actor.userId,
    reason,
    note: note ?? null,
    created_at: now,
    updated_at: now,
  })
  if (!report) return { report: toOwnReport(await getReportOfReporter(tx, post, actor.userId)), isNew: false }

  const entry = { id: threadId, label: thread.title, after: { reply_id: post.replyId, reason } }
  await recordAudit(tx, 'thread.reported', entry)
  await emit(tx, threadReported, thread, { room_id: key.roomId, reply_id: post.replyId, reason })
  const openReports = await countOpenReports(tx, post)
  const isHidden = openReports >= hidingReports && (await hideReportedPost(tx, access, { thread, reply, now }))
  if (isHidden || openReports === 1)
    await notifyModerators(tx, { reportId: report.id, ownerId: access.room.owner_id, thread, isHidden })
  return { report: toOwnReport(report), isNew: true }
}

async function getReportedReply(tx: TenantTx, key: ThreadKey, replyId: string): Promise<ReplyRow> {
  const reply = await findReply(tx, { ...key, id: replyId, threadId: key.id })
  if (!reply) throw unknownReference('/reply_id', 'reply to this thread')
  return reply
}

type ReportedPosts = { thread: ThreadRow; reply: ReplyRow | undefined; now: Date }

/** Posts of moderators are not hidden automatically. Returns whether the post was hidden now. */
async function hideReportedPost(
  tx: TenantTx,
  { room }: RoomAccess,
  { thread, reply, now }: ReportedPosts,
): Promise<boolean> {
  const post = reply ?? thread
  if (post.hidden_at) return false
  const author = (await findUserCards(tx, [post.author_id])).get(post.author_id)
  if (author && isModeratorOf({ userId: author.id, role: author.role }, room)) return false
  const hiding = { reason: `Reported by ${hidingReports} users.`, now, isAutomatic: true }
  if (reply) await hideReply(tx, thread, reply, hiding)
  else await hideThread(tx, thread, hiding)
  return true
}

export const toOwnReport = ({ reporter_id: _, ...report }: ReportRow): OwnThreadReport => ({
  ...report,
  reason: report.reason as OwnThreadReport['reason'],
  resolution: report.resolution as OwnThreadReport['resolution'],
})
