import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppError } from '#platform/errors'
import {
  buildCardPage,
  type CardTop,
  choosePageLanguage,
  escapeHtml,
  type PageLanguage,
  renderCardTop,
} from '#platform/html'
import { errorTexts } from './error-texts.ts'
import { sendPublicPage } from './send-page.ts'

const pathsOfPrograms = /^\/(api|assets|health|pages)(\/|\?|$)/

/** True for browsers that open a page. Programs and the scripts of pages get problem details. */
export const acceptsErrorPage = ({ headers, url }: Pick<FastifyRequest, 'headers' | 'url'>): boolean =>
  /\btext\/html\b/.test(headers.accept ?? '') && !pathsOfPrograms.test(url)

/** The color of the workspace is unknown here: many requests are rejected before the database is used. */
export function sendErrorPage(request: FastifyRequest, reply: FastifyReply, error: AppError): FastifyReply {
  const language = choosePageLanguage(request.headers['accept-language'])
  const theme = { workspace: request.tenant?.name ?? 'Tributary', color: null }
  const top = describeError(error, language)
  const texts = errorTexts[language]
  const parts = [
    renderCardTop(top),
    ...(isUnknownPath(error) ? [`<a class="button wide" href="/">${texts.toStartPage}</a>`] : []),
    ...(error.status >= 500 ? [`<p class="end">${escapeHtml(texts.requestId(request.id))}</p>`] : []),
  ]
  return sendPublicPage(request, reply, theme, buildCardPage(theme, { title: top.heading, language, parts }))
}

const isUnknownPath = ({ status, code }: AppError) => status === 404 && code !== 'tenant_not_found'

function describeError({ status, code, headers }: AppError, language: PageLanguage): CardTop {
  const texts = errorTexts[language]
  const wait = describeWait(Number(headers['retry-after'] ?? 60), language)
  const top = ({ title, text }: { title: string; text: string }, icon: CardTop['icon'], tone: CardTop['tone']) => ({
    heading: title,
    lead: escapeHtml(text),
    icon,
    tone,
  })
  if (code === 'tenant_not_found') return top(texts.unknownHost, 'brokenLink', 'plain')
  if (status === 404 || status === 405) return top(texts.notFound, 'brokenLink', 'plain')
  if (status === 410) return top(texts.gone, 'brokenLink', 'plain')
  if (status === 429) {
    const { title, text } = texts.tooManyRequests
    return top({ title, text: text(wait) }, 'clock', 'warn')
  }
  if (status === 503 || code === 'tenant_in_maintenance') {
    const { title, text } = texts.unavailable
    return top({ title, text: text(wait) }, 'clock', 'warn')
  }
  return status >= 500 ? top(texts.failed, 'warning', 'warn') : top(texts.invalid, 'warning', 'plain')
}

function describeWait(seconds: number, language: PageLanguage): string {
  const format = new Intl.RelativeTimeFormat(language)
  if (seconds < 60) return format.format(seconds, 'second')
  return seconds <= 5_400
    ? format.format(Math.ceil(seconds / 60), 'minute')
    : format.format(Math.ceil(seconds / 3_600), 'hour')
}
