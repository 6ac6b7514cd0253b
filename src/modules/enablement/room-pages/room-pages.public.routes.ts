import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { AppError } from '#platform/errors'
import { type RouteConfig, type Routes, sendPage } from '#platform/http'
import type { Services } from '#platform/module'
import { Email, strict } from '#platform/schema'
import type { VisitTokens } from '../room-visit-records/visit-tokens.ts'
import { createRoomVisit } from '../room-visits/open-visit.flow.ts'
import { getPublicRoom } from '../room-visits/public-room.service.ts'
import { findPreview } from '../room-visits/room-preview.service.ts'
import { readLimits, visitLimits } from '../room-visits/room-visits.public.routes.ts'
import { PublicRoomParams } from '../room-visits/room-visits.schemas.ts'
import { readRoomPage } from './read-room-page.flow.ts'
import {
  buildClosedPage,
  buildGatePage,
  buildRoomPage,
  type Gate,
  type GateInput,
  type VisitOfPage,
} from './room-page.ts'

const Field = Type.Optional(Type.String({ maxLength: 254 }))
const GateForm = strict({ email: Field, name: Field, password: Field, code: Field })
type GateForm = Static<typeof GateForm>
const PageQuery = strict({ preview: Type.Optional(Type.String({ maxLength: 700 })) })

const config = { public: true, tokenParam: 'share_token', tag: 'rooms' } as const satisfies RouteConfig
/** The visitor is recognized at the next visit. Both cookies belong to the path of one link. */
const cookieSeconds = { room_visit: 12 * 3_600, room_visitor: 180 * 86_400 }
type CookieName = keyof typeof cookieSeconds

/** The page of a room. Its forms work without JavaScript, so a cookie of the page carries the visit. */
export const roomPageRoutes =
  (services: Services, tokens: VisitTokens): Routes =>
  async (app) => {
    const { clock, files } = services
    const visitServices = { clock, files, tokens }
    app.route({
      method: 'GET',
      url: '/r/:share_token',
      config: { ...config, limits: readLimits },
      schema: { hide: true, params: PublicRoomParams, querystring: PageQuery },
      handler: (request, reply) =>
        orClosedPage(request, reply, async () => {
          const { share_token: shareToken } = request.params
          if (request.query.preview) return await startPreview(request, reply, shareToken, request.query.preview)
          const visitToken = readCookie(request, 'room_visit')
          const { state, visit, html } = await readRoomPage(visitServices, {
            inTenant: request.inTenant.bind(request),
            tenantId: request.tenant.id,
            shareToken,
            visitToken,
          })
          const action = `/r/${shareToken}`
          const color = (state.room?.branding ?? state.branding)?.primary_color ?? null
          const shown = toVisitOfPage(shareToken, visitToken, visit)
          const page = state.room
            ? buildRoomPage(state.room, html, shown, action)
            : buildGatePage({ requires: state.requires ?? [], action })
          return sendPage(request, reply, { workspace: request.tenant.name, color }, page)
        }),
    })

    /** The cookies of a preview also tell later visits that this browser belongs to the workspace. */
    async function startPreview(request: FastifyRequest, reply: FastifyReply, shareToken: string, preview: string) {
      const path = `/r/${shareToken}`
      const found = await request.inTenant((tx) => findPreview(tx, visitServices, { shareToken, visitToken: preview }))
      if (found) {
        const isSecure = services.config.APP_SCHEME === 'https'
        reply.header('set-cookie', [
          formatCookie('room_visit', preview, path, isSecure),
          formatCookie('room_visitor', found.visitorToken, path, isSecure),
        ])
      }
      return reply.code(303).header('location', path).send()
    }

    app.route({
      method: 'POST',
      url: '/r/:share_token',
      config: { ...config, body: 'form', bodyLimit: 4_096, limits: visitLimits },
      schema: { hide: true, params: PublicRoomParams, body: GateForm },
      handler: (request, reply) =>
        orClosedPage(request, reply, async () => {
          const { share_token: shareToken } = request.params
          const action = `/r/${shareToken}`
          const input = readForm(request.body)
          const sendGate = async (gate: Pick<Gate, 'message' | 'asksForCode'>) => {
            const state = await request.inTenant((tx) => getPublicRoom(tx, visitServices, { shareToken }))
            const color = (state.room?.branding ?? state.branding)?.primary_color ?? null
            const page = buildGatePage({ requires: state.requires ?? [], action, input, ...gate })
            return await sendPage(request, reply, { workspace: request.tenant.name, color }, page)
          }
          if (input.email !== undefined && !isEmail(input.email)) {
            reply.code(422)
            return await sendGate({ message: 'Enter a valid email address.' })
          }
          const { inTenant, tenant, ip } = request
          const visit = { ...input, visitor_token: readCookie(request, 'room_visitor') }
          const visitToken = readCookie(request, 'room_visit')
          const entry = { inTenant: inTenant.bind(request), tenantId: tenant.id, ip, shareToken, visitToken, visit }
          try {
            const opened = await createRoomVisit(visitServices, entry)
            if ('state' in opened) return await sendGate({ asksForCode: true })
            const isSecure = services.config.APP_SCHEME === 'https'
            reply.header('set-cookie', [
              formatCookie('room_visit', opened.visit_token, action, isSecure),
              formatCookie('room_visitor', opened.visitor_token, action, isSecure),
            ])
            return reply.code(303).header('location', action).send()
          } catch (error) {
            if (!(error instanceof AppError) || ![403, 429].includes(error.status)) throw error
            reply.code(error.status).headers(error.headers)
            return await sendGate({ message: error.message, asksForCode: input.code !== undefined })
          }
        }),
    })
  }

/** The validator of jobs, whose payload the address becomes, also accepts a host without a domain. */
const isEmail = (text: string): boolean => Value.Check(Email, text) && /\.[^.@]+$/.test(text)

/** Browsers send empty fields, which mean that nothing was entered. */
function readForm({ email, name, password, code }: GateForm): GateInput & { code?: string } {
  return {
    ...(email?.trim() && { email: email.trim() }),
    ...(name?.trim() && { name: name.trim().slice(0, 120) }),
    ...(password && { password: password.slice(0, 128) }),
    ...(code?.trim() && { code: code.trim().slice(0, 6) }),
  }
}

export const toVisitOfPage = (
  shareToken: string,
  visitToken: string | undefined,
  visit: { id: string; reported_seconds: number } | undefined,
): VisitOfPage | undefined =>
  visit && visitToken
    ? { shareToken, visitId: visit.id, visitToken, reportedSeconds: visit.reported_seconds }
    : undefined

export function readCookie({ headers }: FastifyRequest, name: CookieName): string | undefined {
  const cookies = String(headers.cookie ?? '').split(/;\s*/)
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1)
}

const formatCookie = (name: CookieName, value: string, path: string, isSecure: boolean): string =>
  `${name}=${value}; Path=${path}; Max-Age=${cookieSeconds[name]}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`

export async function orClosedPage(
  request: FastifyRequest,
  reply: FastifyReply,
  show: () => Promise<FastifyReply>,
): Promise<FastifyReply> {
  try {
    return await show()
  } catch (error) {
    if (!(error instanceof AppError) || ![403, 404, 410].includes(error.status)) throw error
    const message = error.status !== 404 ? error.message : 'This link does not work. Ask the person who sent it.'
    reply.code(error.status)
    return sendPage(request, reply, { workspace: request.tenant.name, color: null }, buildClosedPage(message))
  }
}
