import type { FastifyReply, FastifyRequest } from 'fastify'
import { type HtmlPage, type PageTheme, renderPage } from '#platform/html'

export function sendPage(request: FastifyRequest, reply: FastifyReply, theme: PageTheme, page: HtmlPage): FastifyReply {
  const isEmbeddable = request.routeOptions.config.framing === 'any'
  const { html, policy } = renderPage(theme, page, isEmbeddable ? '*' : "'none'")
  if (isEmbeddable) reply.removeHeader('x-frame-options')
  return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html)
}
