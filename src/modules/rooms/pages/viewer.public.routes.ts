import { Type } from 'typebox'
import { notFound } from '#platform/errors'
import { findExtractedText } from '#platform/files'
import { choosePageLanguage } from '#platform/html'
import { type Routes, sendPublicPage } from '#platform/http'
import type { Services } from '#platform/module'
import { Id, strict } from '#platform/schema'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { readLimits } from '../visits/visits.public.routes.ts'
import { ShareToken } from '../visits/visits.schemas.ts'
import { orClosedPage } from './closed-page.ts'
import { toVisitOfPage } from './page.ts'
import { readRoomPage } from './read-room-page.flow.ts'
import { buildViewerPage } from './viewer-page.ts'
import { createVisitCookies } from './visit-cookies.ts'

const ItemPageParams = strict({ share_token: ShareToken, item_id: Id })
const ItemPageQuery = strict({ page: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })) })

export const roomViewerRoutes =
  (services: Services, tokens: VisitTokens): Routes =>
  async (app) => {
    const { clock, files, config } = services
    const cookies = createVisitCookies(config)

    app.route({
      method: 'GET',
      url: '/r/:share_token/items/:item_id',
      config: { public: true, tokenParam: 'share_token', tag: 'rooms', limits: readLimits },
      schema: { hide: true, params: ItemPageParams, querystring: ItemPageQuery },
      handler: (request, reply) =>
        orClosedPage(request, reply, async () => {
          const { share_token: shareToken, item_id: itemId } = request.params
          const visitToken = cookies.read(request, 'room_visit')
          const { state, visit, shown, progress, html } = await readRoomPage(
            { clock, files, tokens },
            { inTenant: request.inTenant.bind(request), tenantId: request.tenant.id, shareToken, visitToken },
          )
          const item = state.room?.items.find(({ id }) => id === itemId)
          if (state.room && !item) throw notFound('room item')
          const visitOfPage = toVisitOfPage(shareToken, visitToken, visit)
          if (!state.room || !item || !visitOfPage) return reply.code(303).header('location', `/r/${shareToken}`).send()
          const fileId = shown.find(({ row }) => row.id === itemId)?.file?.id
          const viewed = {
            language: choosePageLanguage(request.headers['accept-language']),
            room: state.room,
            item,
            html: html.get(itemId) ?? '',
            fileText: fileId ? await request.inTenant((tx) => findExtractedText(tx, fileId)) : null,
            page: request.query.page ?? 1,
            readPages: progress.get(itemId)?.pages ?? [],
            visit: visitOfPage,
          }
          const { primary_color: color, theme: mode } = state.room.branding
          const theme = { workspace: request.tenant.name, color, mode }
          return sendPublicPage(request, reply, theme, buildViewerPage(viewed))
        }),
    })
  }
