import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type Routes, sendPublicPage } from '#platform/http'
import type { Services } from '#platform/module'
import { strict } from '#platform/schema'
import { findUnopenedPreview, openRoomPreview } from '../previews/open-preview.service.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { visitLimits } from '../visits/visits.public.routes.ts'
import { PublicRoomParams } from '../visits/visits.schemas.ts'
import { orClosedPage } from './closed-page.ts'
import { buildPreviewPage } from './page.ts'
import { createPageContext, readPageSettings } from './page-context.ts'
import { createVisitCookies } from './visit-cookies.ts'

export const PreviewFields = strict({ preview: Type.Optional(Type.String({ maxLength: 700 })) })

type PreviewServices = Pick<Services, 'clock'> & { tokens: VisitTokens }
type PreviewUrl = { shareToken: string; previewToken: string; visitToken: string | undefined }

export async function showPreviewUrl(
  { clock, tokens }: PreviewServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { shareToken, previewToken, visitToken }: PreviewUrl,
): Promise<FastifyReply> {
  const input = { shareToken, previewToken, visitToken, now: clock.now() }
  const { isOpened, settings } = await request.inTenant(async (tx) => ({
    isOpened: (await findUnopenedPreview(tx, tokens, input)) === undefined,
    settings: await readPageSettings(tx, request.tenant.name),
  }))
  if (isOpened) return reply.code(303).header('location', `/r/${shareToken}`).send()
  const context = createPageContext(request, settings)
  return sendPublicPage(request, reply, context.theme, buildPreviewPage(previewToken, context))
}

export const previewPageRoutes =
  ({ clock, config }: Services, tokens: VisitTokens): Routes =>
  async (app) => {
    const cookies = createVisitCookies(config)

    app.route({
      method: 'POST',
      url: '/r/:share_token/preview',
      config: {
        public: true,
        tokenParam: 'share_token',
        tag: 'rooms',
        body: 'form',
        bodyLimit: 4_096,
        limits: visitLimits,
      },
      schema: { hide: true, params: PublicRoomParams, body: PreviewFields },
      handler: (request, reply) =>
        orClosedPage(request, reply, async () => {
          const { share_token: shareToken } = request.params
          const visitToken = cookies.read(request, 'room_visit')
          const input = { shareToken, previewToken: request.body.preview ?? '', visitToken, now: clock.now() }
          const opened = await request.inTenant((tx) => openRoomPreview(tx, tokens, input))
          if (opened) reply.header('set-cookie', cookies.format(request, opened))
          return reply.code(303).header('location', `/r/${shareToken}`).send()
        }),
    })
  }
