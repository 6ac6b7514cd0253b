import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { dayInTimezone } from '#platform/calendar'
import { AppError } from '#platform/errors'
import type { PublicPage } from '#platform/html'
import { type RouteConfig, type Routes, sendPublicPage } from '#platform/http'
import type { Services } from '#platform/module'
import { Email, Id, strict } from '#platform/schema'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { createRoomVisit } from '../visits/open-visit.flow.ts'
import { getPublicRoom } from '../visits/public-room.service.ts'
import { readLimits, visitLimits } from '../visits/visits.public.routes.ts'
import { PublicRoomParams } from '../visits/visits.schemas.ts'
import { buildLockedPage, orClosedPage } from './closed-page.ts'
import { buildCodePage, buildGatePage, type GateInput } from './gate-page.ts'
import { buildRoomPage, toVisitOfPage } from './page.ts'
import { createPageContext, type RoomPageContext, readPageSettings } from './page-context.ts'
import { changeStepOnPage } from './plan-page.public.routes.ts'
import { PreviewFields, showPreviewUrl } from './preview-page.public.routes.ts'
import { readRoomPage } from './read-room-page.flow.ts'
import { createVisitCookies } from './visit-cookies.ts'

const Field = Type.Optional(Type.String({ maxLength: 254 }))
const GateForm = strict({
  email: Field,
  name: Field,
  password: Field,
  code: Field,
  again: Field,
  step: Type.Optional(Id),
})
type GateForm = Static<typeof GateForm>

const publicPage = { public: true, tokenParam: 'share_token', tag: 'rooms' } as const satisfies RouteConfig

/** The page of a room. Its forms work without JavaScript, so a cookie of the page carries the visit. */
export const roomPageRoutes =
  (services: Services, tokens: VisitTokens): Routes =>
  async (app) => {
    const { clock, files, config } = services
    const visitServices = { clock, files, tokens }
    const cookies = createVisitCookies(config)

    app.route({
      method: 'GET',
      url: '/r/:share_token',
      config: { ...publicPage, limits: readLimits },
      schema: { hide: true, params: PublicRoomParams, querystring: PreviewFields },
      handler: (request, reply) =>
        orClosedPage(request, reply, async () => {
          const { share_token: shareToken } = request.params
          const { preview: previewToken } = request.query
          const visitToken = cookies.read(request, 'room_visit')
          if (previewToken) {
            const preview = { shareToken, previewToken, visitToken }
            return await showPreviewUrl({ clock, tokens }, request, reply, preview)
          }
          const { state, visit, html, settings } = await readRoomPage(visitServices, {
            inTenant: request.inTenant.bind(request),
            tenantId: request.tenant.id,
            shareToken,
            visitToken,
          }).catch((error: unknown) => {
            // The next request of this browser is one of a visitor.
            if (error instanceof AppError && error.code === 'preview_ended')
              reply.header('set-cookie', cookies.expireVisit(request))
            throw error
          })
          const { room, requires = [] } = state
          const context = createPageContext(request, settings, room?.branding ?? state.branding)
          const today = dayInTimezone(clock.now(), settings.timeZone)
          const shown = { html, today, visit: toVisitOfPage(shareToken, visitToken, visit) }
          const page = room
            ? buildRoomPage({ ...shown, room, isPreview: visit?.is_preview ?? false }, context)
            : buildGatePage({ requires }, context)
          return sendPublicPage(request, reply, context.theme, page)
        }),
    })

    app.route({
      method: 'POST',
      url: '/r/:share_token',
      config: { ...publicPage, body: 'form', bodyLimit: 4_096, limits: visitLimits },
      schema: { hide: true, params: PublicRoomParams, body: GateForm },
      handler: (request, reply) =>
        orClosedPage(request, reply, async () => {
          const { share_token: shareToken } = request.params
          const { step: stepId } = request.body
          const { input, code } = readForm(request.body)
          if (input.email !== undefined && !isEmail(input.email)) {
            reply.code(422)
            return await sendGate(request, reply, (context, requires) =>
              buildGatePage({ requires: stepId ? ['email'] : requires, input, problem: 'email', stepId }, context),
            )
          }
          const { inTenant, tenant, ip } = request
          const visit = { ...input, ...(code && { code }), visitor_token: cookies.read(request, 'room_visitor') }
          const visitToken = cookies.read(request, 'room_visit')
          const entry = { inTenant: inTenant.bind(request), tenantId: tenant.id, ip, shareToken, visitToken, visit }
          try {
            const opened = await createRoomVisit(visitServices, entry)
            if ('state' in opened)
              return await sendGate(request, reply, (context) =>
                buildCodePage(input, request.body.again ? 'sent_again' : 'sent', context),
              )
            const started = { visitToken: opened.visit_token, visitorToken: opened.visitor_token }
            reply.header('set-cookie', cookies.format(request, started))
            if (!stepId) return reply.code(303).header('location', `/r/${shareToken}`).send()
            const change = { shareToken, visitToken: opened.visit_token, stepId, status: 'done' } as const
            return await changeStepOnPage(visitServices, request, reply, change)
          } catch (error) {
            if (!(error instanceof AppError) || ![403, 429].includes(error.status)) throw error
            reply.code(error.status).headers(error.headers)
            const retryAfter = Number(error.headers['retry-after'])
            return await sendGate(request, reply, (context, requires) => {
              if (error.status === 429) return buildLockedPage(retryAfter, clock.now(), context)
              if (!requires.length) throw error
              return code
                ? buildCodePage(input, 'wrong', context)
                : buildGatePage({ requires, input, problem: 'denied' }, context)
            })
          }
        }),
    })

    type BuildPage = (
      context: RoomPageContext,
      requires: NonNullable<Awaited<ReturnType<typeof getPublicRoom>>['requires']>,
    ) => PublicPage

    async function sendGate(request: FastifyRequest, reply: FastifyReply, build: BuildPage): Promise<FastifyReply> {
      const { share_token: shareToken } = request.params as { share_token: string }
      const { state, settings } = await request.inTenant(async (tx) => ({
        state: await getPublicRoom(tx, visitServices, { shareToken }),
        settings: await readPageSettings(tx, request.tenant.name),
      }))
      const context = createPageContext(request, settings, state.room?.branding ?? state.branding)
      return sendPublicPage(request, reply, context.theme, build(context, state.requires ?? []))
    }
  }

/** The validator of jobs, whose payload the address becomes, also accepts a host without a domain. */
const isEmail = (text: string): boolean => Value.Check(Email, text) && /\.[^.@]+$/.test(text)

/** Browsers send empty fields, which mean that nothing was entered. A code is not used to ask for another one. */
function readForm({ email, name, password, code, again }: GateForm): { input: GateInput; code?: string } {
  const entered = again ? undefined : code?.replace(/\s/g, '').slice(0, 6)
  const input = {
    ...(email?.trim() && { email: email.trim() }),
    ...(name?.trim() && { name: name.trim().slice(0, 120) }),
    ...(password && { password: password.slice(0, 128) }),
  }
  return { input, ...(entered && { code: entered }) }
}
