import type { FastifyReply, FastifyRequest } from 'fastify'
import { sendStaticFile } from '../static-file.ts'
import type { ApplicationFiles } from './application-files.ts'

const startPath = /^\/(\?|$)/
const otherPaths = /^\/(api|reference|pages|assets|health)(\/|\?|$)/

/**
 * Whether an unmatched request is answered with the application, which finds out itself if the path exists.
 * The start page is also for programs that accept everything, such as uptime checks.
 */
export const opensApplication = ({
  is404,
  method,
  headers: { accept = '*/*' },
  url,
}: Pick<FastifyRequest, 'is404' | 'method' | 'headers' | 'url'>): boolean =>
  is404 &&
  method === 'GET' &&
  (/\btext\/html\b/.test(accept) || (startPath.test(url) && accept.includes('*/*'))) &&
  !otherPaths.test(url)

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "media-src 'self' blob:",
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types server-html',
].join('; ')

export function sendApplicationPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { page, revision }: ApplicationFiles,
): FastifyReply {
  reply.headers({
    'content-security-policy': contentSecurityPolicy,
    'permissions-policy': 'camera=(self), microphone=(self), display-capture=(self)',
    'x-app-revision': revision,
  })
  return sendStaticFile(request, reply, page, 'no-cache')
}
