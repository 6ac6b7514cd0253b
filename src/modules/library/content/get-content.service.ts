import { actorOf, type TenantTx } from '#platform/db'
import { openView } from '../views/open-view.service.ts'
import { hasProgress } from '../views/views.rules.ts'
import { getVisibleItem } from './content.queries.ts'
import { type ContentContext, presentItem } from './present-content.service.ts'
import { readViewer } from './viewer.service.ts'

/** Only user sessions open views: an API key or an impersonating admin is not the viewer. */
export async function getContentItem(
  tx: TenantTx,
  context: ContentContext,
  id: string,
  { isTracked }: { isTracked: boolean },
) {
  const viewer = await readViewer(tx)
  const row = await getVisibleItem(tx, id, viewer)
  const actor = actorOf(tx)
  const opensView = isTracked && actor.type === 'user' && row.status === 'published'
  const item = await presentItem(tx, context, row)
  const view = {
    itemId: id,
    versionNo: row.version_no,
    userId: actor.userId!,
    hasProgress: hasProgress(item.file ?? undefined),
    now: context.clock.now(),
  }
  return { ...item, view_id: opensView ? await openView(tx, view) : null }
}
