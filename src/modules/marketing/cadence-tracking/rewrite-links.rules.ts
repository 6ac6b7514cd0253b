import { splitAtUrls } from '#modules/crm'
import { escapeHtml } from '#platform/html'

type Content = { text: string; html: string }
type LinkOptions = {
  /** Returns the URL to use instead, or null to keep the link. */
  toTrackedUrl(url: string): string | null
  /** Never rewritten, so that it works without the tracking. */
  unsubscribeUrl: string
}

/** Replaces the http and https links of a text and of an HTML document made by `renderTemplate`. */
export function rewriteLinks({ text, html }: Content, { toTrackedUrl, unsubscribeUrl }: LinkOptions): Content {
  const rewrite = (url: string) => (url === unsubscribeUrl ? url : (toTrackedUrl(url) ?? url))
  return {
    text: splitAtUrls(text)
      .map((part) => (typeof part === 'string' ? part : rewrite(part.url)))
      .join(''),
    html: html.replace(
      /<a href="(https?:[^"]*)"/gi,
      (_, escaped: string) => `<a href="${escapeHtml(rewrite(unescapeHtml(escaped)))}"`,
    ),
  }
}

const characters: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescapeHtml = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => characters[name]!)

export function addOpenImage(html: string, imageUrl: string): string {
  const image = `<img src="${escapeHtml(imageUrl)}" width="1" height="1" alt="" style="display:block">`
  const end = html.lastIndexOf('</body>')
  return end < 0 ? `${html}${image}` : `${html.slice(0, end)}${image}\n${html.slice(end)}`
}
