import type { TenantTx } from '#platform/db'
import { AppError, conflict, invalid, unknownReference } from '#platform/errors'
import { emit } from '#platform/outbox'
import { contentArchived, contentPublished, contentRestored, contentUnpublished } from '../library.events.ts'
import { type ContentRow, listReplacementChain } from './content.queries.ts'
import {
  assertMayChangeStatus,
  assertPublishable,
  assertTransition,
  type ContentViewer,
  canSee,
  isPublishable,
} from './content.rules.ts'
import type { ContentStatus } from './content.schemas.ts'
import { readContentSettings } from './content-settings.ts'
import { findCurrentFile } from './current-file.service.ts'
import { nextReviewAt } from './freshness.rules.ts'
import type { ContentContext } from './present-content.service.ts'

type RequestedStatus = {
  item: ContentRow
  /** The item with the other changes of the request. */
  edited: ContentRow
  status?: ContentStatus
  superseded_by_id?: string | null
}
type StatusFields = Partial<Omit<ContentRow, 'id' | 'created_at' | 'updated_at' | 'version'>>
type StatusChange = { fields: StatusFields; emitEvent(changed: ContentRow): Promise<void> }

export async function planStatusChange(
  tx: TenantTx,
  { clock }: ContentContext,
  viewer: ContentViewer,
  { item, edited, status, superseded_by_id }: RequestedStatus,
): Promise<StatusChange | undefined> {
  const from = item.status as ContentStatus
  const to = status ?? from
  if (superseded_by_id && to !== 'archived')
    throw invalid(
      'body',
      '/superseded_by_id',
      'requires_archived',
      '`superseded_by_id` can only be set on archived content.',
    )
  if (superseded_by_id) await assertReplacement(tx, viewer, item.id, superseded_by_id)
  const now = clock.now()
  if (from === to) {
    if (superseded_by_id === undefined || superseded_by_id === item.superseded_by_id) return undefined
    const archive_reason = superseded_by_id ? 'superseded' : 'manual'
    return { fields: { superseded_by_id, archive_reason }, emitEvent: (changed) => emitArchived(tx, changed) }
  }
  assertTransition(from, to)
  const { members_may_publish } = await readContentSettings(tx)
  assertMayChangeStatus(viewer, { from, to, membersMayPublish: members_may_publish })
  if (to === 'published') {
    await assertReadyToPublish(tx, edited)
    const reviewed = { last_reviewed_at: now, review_interval_days: edited.review_interval_days }
    return {
      fields: {
        status: to,
        published_at: item.published_at ?? now,
        last_reviewed_at: now,
        reviewed_by: viewer.userId,
        next_review_at: nextReviewAt(reviewed),
        needs_update_at: null,
      },
      emitEvent: (changed) => emit(tx, contentPublished, changed, {}),
    }
  }
  if (to === 'archived')
    return {
      fields: archiveFields(now, superseded_by_id ? 'superseded' : 'manual', superseded_by_id ?? null),
      emitEvent: (changed) => emitArchived(tx, changed),
    }
  const event = from === 'archived' ? contentRestored : contentUnpublished
  return {
    fields: { status: to, superseded_by_id: null, archived_at: null, archive_reason: null },
    emitEvent: (changed) => emit(tx, event, changed, {}),
  }
}

export const archiveFields = (now: Date, archive_reason: string, superseded_by_id: string | null = null) => ({
  status: 'archived',
  archived_at: now,
  archive_reason,
  superseded_by_id,
})

export const emitArchived = (tx: TenantTx, item: ContentRow) =>
  emit(tx, contentArchived, item, { reason: item.archive_reason!, superseded_by_id: item.superseded_by_id })

async function assertReadyToPublish(tx: TenantTx, item: ContentRow): Promise<void> {
  const current = await findCurrentFile(tx, item)
  assertPublishable({ ...item, hasFile: current !== undefined })
  const scanStatus = current?.file.scan_status
  if (!scanStatus || scanStatus === 'clean' || scanStatus === 'skipped') return
  if (scanStatus === 'pending')
    throw new AppError(409, 'scan_pending', 'The file is being scanned for viruses. Try again in a moment.', {
      headers: { 'retry-after': '5' },
    })
  throw conflict(
    'file_quarantined',
    'The item cannot be published, because the virus scan of its file found a problem or failed.',
  )
}

/** True if the item would stay publishable without its file. */
export const isPublishableWithoutFile = (item: ContentRow): boolean => isPublishable({ ...item, hasFile: false })

/** The replacement must be published and visible to the caller, and following replacements must never lead back to the item. */
async function assertReplacement(
  tx: TenantTx,
  viewer: ContentViewer,
  itemId: string,
  replacementId: string,
): Promise<void> {
  const chain = await listReplacementChain(tx, replacementId)
  const [replacement] = chain
  if (!replacement || !canSee(replacement, viewer)) throw unknownReference('/superseded_by_id', 'content item')
  if (chain.some(({ id }) => id === itemId))
    throw invalid('body', '/superseded_by_id', 'cycle', '`superseded_by_id` must not lead back to this item.')
  if (replacement.status !== 'published')
    throw invalid('body', '/superseded_by_id', 'not_published', '`superseded_by_id` must refer to published content.')
}
