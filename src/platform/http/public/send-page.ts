import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type HtmlPage,
  loadPublicAssets,
  type PageTheme,
  type PublicPage,
  renderPage,
  renderPublicPage,
} from '#platform/html'

export const sendPage = (request: FastifyRequest, reply: FastifyReply, theme: PageTheme, page: HtmlPage) =>
  sendHtml(request, reply, (frameAncestors) => renderPage(theme, page, frameAncestors))

export const sendPublicPage = (request: FastifyRequest, reply: FastifyReply, theme: PageTheme, page: PublicPage) =>
  sendHtml(request, reply, (frameAncestors) =>
    renderPublicPage(theme, page, { stylesheetUrl: loadPublicAssets().stylesheet.url, frameAncestors }),
  )

function sendHtml(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  render: (frameAncestors: string) => { html: string; policy: string },
): FastifyReply {
  const isEmbeddable = routeOptions.config.framing === 'any'
  const { html, policy } = render(isEmbeddable ? '*' : "'none'")
  if (isEmbeddable) reply.removeHeader('x-frame-options')
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
}
