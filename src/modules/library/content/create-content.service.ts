import { assertAssignable, findTeamNames } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid, roleRequired, unknownReference } from '#platform/errors'
import { newId } from '#platform/ids'
import type { BodyHtml } from '#platform/markdown'
import { emit } from '#platform/outbox'
import { contentCreated } from '../library.events.ts'
import { getItem, insertItem, insertItemStats } from './content.queries.ts'
import { assertUrlAllowed, assertVisibilityFits, type ContentViewer } from './content.rules.ts'
import type { ContentItem, NewContentItem } from './content.schemas.ts'
import { type ContentContext, presentItem } from './present-content.service.ts'
import { upsertSearchText } from './search-content.queries.ts'
import { readViewer } from './viewer.service.ts'

export async function createContentItem(
  tx: TenantTx,
  context: ContentContext,
  actor: UserActor,
  input: NewContentItem,
  bodyHtml?: BodyHtml,
): Promise<ContentItem> {
  const viewer = await readViewer(tx)
  assertVisibilityFits(input)
  await assertContentInput(tx, viewer, input, context.clock.now())
  const owner_id = input.owner_id ?? actor.userId
  const item = await insertItem(tx, { ...input, ...bodyHtml, id: newId(), owner_id, created_by: actor.userId })
  await insertItemStats(tx, item.id)
  await upsertSearchText(tx, item.id, item)
  await recordAudit(tx, 'content.created', { id: item.id, label: item.title, after: item })
  await emit(tx, contentCreated, item, { type: input.type, owner_id })
  return await presentItem(tx, context, await getItem(tx, item.id))
}

type CheckedInput = Pick<NewContentItem, 'owner_id' | 'audience_team_ids' | 'visibility' | 'url' | 'expires_at'>

/** Checks what does not depend on the current item. */
export async function assertContentInput(
  tx: TenantTx,
  viewer: ContentViewer,
  { owner_id, audience_team_ids, visibility, url, expires_at }: CheckedInput,
  now: Date,
): Promise<void> {
  assertUrlAllowed(url)
  if (visibility === 'public' && !viewer.isManager) throw roleRequired('Only managers can make content public.')
  if (expires_at && new Date(expires_at) <= now)
    throw invalid('body', '/expires_at', 'past', '`expires_at` must be in the future.')
  if (owner_id && owner_id !== viewer.userId) {
    if (!viewer.isManager) throw roleRequired('Only managers can choose another owner.')
    await assertAssignable(tx, owner_id)
  }
  await assertTeamsExist(tx, audience_team_ids)
}

export async function assertTeamsExist(tx: TenantTx, teamIds: readonly string[] | null | undefined): Promise<void> {
  if (!teamIds?.length) return
  const known = await findTeamNames(tx, teamIds)
  const unknown = teamIds.findIndex((id) => !known.has(id))
  if (unknown >= 0) throw unknownReference(`/audience_team_ids/${unknown}`, 'team')
}
