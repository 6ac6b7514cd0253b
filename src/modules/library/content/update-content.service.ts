import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, notFound } from '#platform/errors'
import { findExtractedText } from '#platform/files'
import type { BodyHtml } from '#platform/markdown'
import { emit } from '#platform/outbox'
import { contentUpdated } from '../library.events.ts'
import { planStatusChange } from './change-status.service.ts'
import { type ContentRow, getItem, lockItem, updateItemRow } from './content.queries.ts'
import { assertCanEdit, assertPublishable, assertVisibilityFits, canSee } from './content.rules.ts'
import type { ContentChanges, ContentItem } from './content.schemas.ts'
import { assertContentInput } from './create-content.service.ts'
import { findCurrentFile } from './current-file.service.ts'
import { nextReviewAt } from './freshness.rules.ts'
import { type ContentContext, presentItem } from './present-content.service.ts'
import { upsertSearchText } from './search-content.queries.ts'
import { readViewer } from './viewer.service.ts'

type UpdateContentInput = { changes: ContentChanges; bodyHtml?: BodyHtml | undefined; expectedVersion?: number }

export async function updateContentItem(
  tx: TenantTx,
  context: ContentContext,
  id: string,
  { changes: requested, bodyHtml, expectedVersion }: UpdateContentInput,
): Promise<ContentItem> {
  const viewer = await readViewer(tx)
  const item = await lockItem(tx, id)
  if (!canSee(item, viewer)) throw notFound('content item')
  assertCanEdit(item, viewer)
  assertVersion(item, expectedVersion)

  const { status, superseded_by_id, expires_at, ...fields } = requested
  const edits = changedFields(item, {
    ...fields,
    ...(expires_at !== undefined && { expires_at: expires_at === null ? null : new Date(expires_at) }),
  })
  await assertContentInput(tx, viewer, { ...edits, expires_at: edits.expires_at && expires_at }, context.clock.now())
  const edited = { ...item, ...edits }
  assertVisibilityFits(edited)
  const statusChange = await planStatusChange(tx, context, viewer, { item, edited, status, superseded_by_id })
  if (item.status === 'published' && !status) await assertStaysPublishable(tx, edited)

  const changes = { ...edits, ...reviewDates(item, edits), ...statusChange?.fields }
  if (Object.keys(changes).length) {
    const changed = await updateItemRow(tx, id, { ...changes, ...(edits.body && bodyHtml) })
    if (['title', 'tags', 'description', 'body'].some((field) => field in edits)) await indexItem(tx, changed)
    await recordAudit(tx, 'content.updated', { id, label: changed.title, before: item, after: changed })
    if (Object.keys(edits).length) await emit(tx, contentUpdated, changed, { changed: Object.keys(edits) })
    await statusChange?.emitEvent(changed)
  }
  return await presentItem(tx, context, await getItem(tx, id))
}

/** A new interval moves the next review, unless a reviewer asked for an update. */
const reviewDates = (item: ContentRow, { review_interval_days }: Pick<ContentChanges, 'review_interval_days'>) =>
  review_interval_days && !item.needs_update_at
    ? { next_review_at: nextReviewAt({ ...item, review_interval_days }) }
    : undefined

async function assertStaysPublishable(tx: TenantTx, item: ContentRow): Promise<void> {
  assertPublishable({ ...item, hasFile: (await findCurrentFile(tx, item)) !== undefined })
}

export async function indexItem(tx: TenantTx, item: ContentRow): Promise<void> {
  const current = await findCurrentFile(tx, item)
  await upsertSearchText(tx, item.id, item, current ? await findExtractedText(tx, current.file.id) : null)
}
