import { attributes, buildCardPage, escapeHtml, type PublicPage, renderCardTop } from '#platform/html'
import type { RoomPageContext } from './page-context.ts'

/** Shows nothing of the room. Only the form opens the preview, because programs that show previews of links also load its URL. */
export function buildPreviewPage(
  previewToken: string,
  { theme, language, url, texts: { preview: texts } }: RoomPageContext,
): PublicPage {
  const field = attributes({ type: 'hidden', name: 'preview', value: previewToken })
  return buildCardPage(theme, {
    title: texts.heading,
    language,
    parts: [
      renderCardTop({ icon: 'key', heading: texts.heading, lead: escapeHtml(texts.lead) }),
      `<form method="post" action="${url}/preview"><input${field}><button class="button primary wide" type="submit">${escapeHtml(texts.open)}</button></form>`,
      `<p class="end">${escapeHtml(texts.end)}</p>`,
    ],
  })
}
