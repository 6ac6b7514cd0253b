import { findUserCards } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { assertVersion, conflict, scopeRequired } from '#platform/errors'
import { emit } from '#platform/outbox'
import { reportResolved } from '../community.events.ts'
import { hideReply, hideThread, showReply, showThread } from '../moderation/hide-posts.service.ts'
import { resolveReportRows } from '../moderation/resolve-reports.queries.ts'
import { memberName, toExcerpt } from '../posts/post-text.rules.ts'
import { getReplyRow, type ReplyRow } from '../replies/replies.queries.ts'
import { deleteReply } from '../replies/replies.service.ts'
import { assertModerator, isCommunityRoom } from '../rooms/room-access.rules.ts'
import { readRoomAccesses } from '../rooms/room-access.service.ts'
import { assertNotSuspended } from '../suspensions/suspensions.service.ts'
import { lockThread, type ThreadRow } from '../threads/threads.queries.ts'
import { deleteThread, getThreadAccess } from '../threads/threads.service.ts'
import { toOwnReport } from './create-report.service.ts'
import { getReport, listOpenReports, listReportsByIds, type PresentedReportRow } from './reports.queries.ts'
import type { Resolution, ThreadReport, ThreadReportFilter } from './reports.schemas.ts'

export async function listThreadReports(
  tx: TenantTx,
  actor: UserActor,
  { room_id, ...page }: ThreadReportFilter,
): Promise<Page<ThreadReport>> {
  const { accessById } = await readRoomAccesses(tx, actor)
  const roomIds = [...accessById.values()]
    .filter(({ room, isModerator }) => isModerator && isCommunityRoom(room) && (!room_id || room.id === room_id))
    .map(({ room }) => room.id)
  const { items, ...rest } = await listOpenReports(tx, roomIds, page)
  return { ...rest, items: await presentReports(tx, items) }
}

async function presentReports(tx: TenantTx, rows: readonly PresentedReportRow[]): Promise<ThreadReport[]> {
  const users = await findUserCards(
    tx,
    rows.flatMap(({ reporter_id, author_id }) => [reporter_id, author_id]),
  )
  const referenceTo = (id: string) => ({ id, name: memberName(users.get(id)) })
  return rows.map((row) => ({
    ...toOwnReport(row),
    room_id: row.room_id,
    title: row.title,
    is_hidden: row.is_hidden,
    is_deleted: row.is_deleted,
    excerpt: toExcerpt(row.excerpt_text),
    reporter: referenceTo(row.reporter_id),
    author: referenceTo(row.author_id),
  }))
}

type ResolveReportInput = { resolution: Resolution; expectedVersion?: number; now: Date }

const withDeleted = { includesHidden: true, includesDeleted: true }

/** Changes the reported post and resolves all its open reports. */
export async function updateThreadReport(
  tx: TenantTx,
  actor: UserActor,
  reportId: string,
  { resolution, expectedVersion, now }: ResolveReportInput,
): Promise<ThreadReport> {
  await assertNotSuspended(tx, actor)
  const { thread_id: threadId, reply_id: replyId } = await getReport(tx, reportId)
  const { access, key } = await getThreadAccess(tx, actor, threadId, withDeleted)
  assertModerator(access)
  if (resolution === 'deleted' && !actor.scopes.has('community.delete')) throw scopeRequired('community.delete')
  const thread = await lockThread(tx, key)
  const reply = replyId === null ? undefined : await getReplyRow(tx, { ...key, id: replyId, threadId })
  const report = await getReport(tx, reportId)
  assertVersion(report, expectedVersion)
  if (report.resolution === null) {
    await applyResolution(tx, actor, { thread, reply, resolution, now })
    const resolved = { resolution, now, userId: actor.userId }
    await resolveReportRows(tx, { threadId, replyId }, resolved)
    const entry = { id: threadId, label: thread.title, after: { reply_id: replyId, resolution } }
    await recordAudit(tx, 'thread.reports_resolved', entry)
    await emit(tx, reportResolved, thread, { room_id: key.roomId, reply_id: replyId, resolution })
  } else if (report.resolution !== resolution)
    throw conflict('conflict', `The report is already resolved as \`${report.resolution}\`.`)
  const [presented] = await presentReports(tx, await listReportsByIds(tx, [reportId]))
  return presented!
}

type AppliedResolution = { thread: ThreadRow; reply: ReplyRow | undefined; resolution: Resolution; now: Date }

async function applyResolution(
  tx: TenantTx,
  actor: UserActor,
  { thread, reply, resolution, now }: AppliedResolution,
): Promise<void> {
  const isDeleted = thread.deleted_at !== null || (reply !== undefined && reply.deleted_at !== null)
  if (isDeleted) return
  const hiding = { reason: null, now }
  if (resolution === 'kept') await (reply ? showReply(tx, thread, reply, now) : showThread(tx, thread, now))
  else if (resolution === 'hidden')
    await (reply ? hideReply(tx, thread, reply, hiding) : hideThread(tx, thread, hiding))
  else if (reply) await deleteReply(tx, actor, { threadId: thread.id, replyId: reply.id, now })
  else await deleteThread(tx, actor, thread.id, { now })
}
