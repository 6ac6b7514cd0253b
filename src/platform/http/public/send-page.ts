import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { loadPublicAssets, type PageTheme, type PublicPage, renderPublicPage } from '#platform/html'
import { hasEntityTag } from '../static-file.ts'

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

/** Sends JSON that any cache may keep for some seconds. A request with the tag of the same content gets 304. */
export function sendCacheable(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  content: object,
  maxAgeSeconds: number,
): FastifyReply {
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url').slice(0, 22)
  const tag = `W/"${hash}"`
  reply.headers({ etag: tag, 'cache-control': `public, max-age=${maxAgeSeconds}` })
  return hasEntityTag(headers['if-none-match'], tag) ? reply.code(304).send() : reply.send(content)
}
