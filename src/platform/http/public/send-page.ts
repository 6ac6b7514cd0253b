import type { FastifyReply, FastifyRequest } from 'fastify'
import { loadPublicAssets, type PageTheme, type PublicPage, renderPublicPage } from '#platform/html'

export function sendPublicPage(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  theme: PageTheme,
  page: PublicPage,
): FastifyReply {
  const isEmbeddable = routeOptions.config.framing === 'any'
  const { html, policy } = renderPublicPage(theme, page, {
    stylesheetUrl: loadPublicAssets().stylesheet.url,
    frameAncestors: isEmbeddable ? '*' : "'none'",
  })
  if (isEmbeddable) reply.removeHeader('x-frame-options')
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
}
