import { setImmediate as nextTurn } from 'node:timers/promises'
import type { RequestTransaction } from '#platform/http'
import { maxContentHtmlLength, renderStoredMarkdown } from '#platform/markdown'
import type { Services } from '#platform/module'
import type { ItemProgress } from '../visit-records/item-progress.queries.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { readPublicRoomState } from '../visits/public-room.service.ts'
import { readPageSettings } from './page-context.ts'
import type { RoomHtml } from './room-items.ts'
import { listRoomTexts, type RoomText, storeRoomTexts } from './room-texts.service.ts'

type PageServices = Pick<Services, 'clock' | 'files'> & { tokens: VisitTokens }
type PageRequest = {
  inTenant: RequestTransaction
  tenantId: string
  shareToken: string
  visitToken: string | undefined
}

/** Renders texts without HTML, such as those of the previous version, once and outside of transactions. */
export async function readRoomPage(
  services: PageServices,
  { inTenant, tenantId, shareToken, visitToken }: PageRequest,
) {
  const { state, visit, shown, progress, settings, texts } = await inTenant(async (tx) => {
    const { shown, state, visit } = await readPublicRoomState(tx, services, { shareToken, visitToken })
    const progress: ReadonlyMap<string, ItemProgress> = shown?.progress ?? new Map()
    const [settings, texts] = await Promise.all([
      readPageSettings(tx, state.tenant_name),
      shown ? listRoomTexts(tx, shown) : [],
    ])
    return { state, visit, shown: shown?.shown ?? [], progress, settings, texts }
  })
  const rendered: (RoomText & { html: string })[] = []
  for (const text of texts.filter(({ html }) => html === null)) {
    const options = { key: tenantId, maxLength: maxContentHtmlLength }
    rendered.push({ ...text, html: await renderStoredMarkdown(text.source, options) })
    await nextTurn()
  }
  if (rendered.length) await inTenant((tx) => storeRoomTexts(tx, rendered))
  const html: RoomHtml = new Map([...texts, ...rendered].map((text) => [text.itemId, text.html ?? '']))
  return { state, visit, shown, progress, settings, html }
}
