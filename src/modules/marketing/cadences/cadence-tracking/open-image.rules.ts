import { escapeHtml } from '#platform/html'

export function addOpenImage(html: string, imageUrl: string): string {
  const image = `<img src="${escapeHtml(imageUrl)}" width="1" height="1" alt="" style="display:block">`
  const end = html.lastIndexOf('</body>')
  return end < 0 ? `${html}${image}` : `${html.slice(0, end)}${image}\n${html.slice(end)}`
}
