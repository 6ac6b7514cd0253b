import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors'
import { buildCardPage, escapeHtml, type PublicPage, renderCardTop } from '#platform/html'
import { sendPublicPage } from '#platform/http'
import { createPageContext, type RoomPageContext, readPageSettings } from './page-context.ts'
import { formatTime, formatUnit } from './page-dates.rules.ts'
import type { RoomPageTexts } from './texts/room-page-texts.ts'

type ClosedKind = Exclude<keyof RoomPageTexts['closed'], 'locked' | 'newerEmail' | 'back'>

function closedKindOf({ status, code }: AppError): ClosedKind {
  if (code === 'room_closed') return 'room'
  if (code === 'preview_ended') return 'previewEnded'
  if (status === 410) return 'expired'
  return status === 404 ? 'unknown' : 'denied'
}

export const buildClosedPage = (error: AppError, context: RoomPageContext): PublicPage => {
  const kind = closedKindOf(error)
  const end =
    kind === 'expired' || kind === 'unknown' ? `<p class="end">${escapeHtml(context.texts.closed.newerEmail)}</p>` : ''
  return createPage(kind, [end], context)
}

/** The room is open, but this step of its plan was not changed. */
export const buildRefusedStepPage = (kind: 'step' | 'preview', context: RoomPageContext): PublicPage =>
  createPage(
    kind,
    [`<a class="button wide" href="${context.url}">${escapeHtml(context.texts.closed.back)}</a>`],
    context,
  )

function createPage(
  kind: ClosedKind,
  parts: readonly string[],
  { theme, language, texts }: RoomPageContext,
): PublicPage {
  const { heading, lead } = texts.closed[kind]
  const top = renderCardTop({ icon: 'brokenLink', tone: 'plain', heading, lead: escapeHtml(lead) })
  return buildCardPage(theme, { title: heading, language, parts: [top, ...parts.filter(Boolean)] })
}

/** The script of the page counts down and shows the time in the time zone of the visitor. */
export function buildLockedPage(retryAfterSeconds: number, now: Date, context: RoomPageContext): PublicPage {
  const { locked: texts } = context.texts.closed
  const { theme, language, locale, url } = context
  const until = new Date(now.getTime() + retryAfterSeconds * 1_000)
  const wait =
    retryAfterSeconds < 60
      ? formatUnit(retryAfterSeconds, 'second', locale)
      : formatUnit(Math.ceil(retryAfterSeconds / 60), 'minute', locale)
  const [before, between, after] = texts.lead.map(escapeHtml)
  const lead = `${before}<b data-seconds="${retryAfterSeconds}">${escapeHtml(wait)}</b>${between}<time datetime="${until.toISOString()}">${escapeHtml(formatTime(until, context))}</time>${after}`
  return buildCardPage(theme, {
    title: texts.heading,
    language,
    script: '/r/gate.js',
    parts: [
      renderCardTop({ icon: 'timer', tone: 'warn', heading: texts.heading, lead }),
      `<a class="button wide" href="${url}">${escapeHtml(texts.tryAgain)}</a>`,
      `<p class="end">${escapeHtml(texts.end)}</p>`,
    ],
  })
}

/** Sends a page in the look of the workspace if the link does not let the visitor in. */
export async function orClosedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  show: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof AppError) || ![403, 404, 410].includes(error.status)) throw error
    const settings = await request.inTenant((tx) => readPageSettings(tx, request.tenant.name))
    const context = createPageContext(request, settings)
    reply.code(error.status)
    return sendPublicPage(request, reply, context.theme, buildClosedPage(error, context))
  }
}
