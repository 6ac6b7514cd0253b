import { Type } from 'typebox'
import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { named, nullable, strict } from '#platform/schema'
import { RoomParams } from '../records/room-fields.schemas.ts'
import type { VisitTokens } from '../visit-records/visit-tokens.ts'
import { createRoomPreview } from './preview.service.ts'

const RoomPreview = named(
  'RoomPreview',
  strict({
    url: nullable(
      Type.String({
        description:
          'A page with a button that opens the room as visitors see it. The button works once, within five minutes, in one browser. Null in the response of a repeated request.',
      }),
    ),
  }),
)

export const roomPreviewRoutes =
  ({ clock, config, secrets }: Services, tokens: VisitTokens): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/rooms/:room_id/preview',
      config: { scope: 'rooms.write', oneTimeFields: ['url'] },
      schema: {
        operationId: 'createRoomPreview',
        summary: 'Create a preview of a room',
        description:
          'Responds with the URL of a page that opens a draft or active room as visitors see it and counts nothing. Loading the page, as chat and email programs do, opens nothing. The preview ends 30 minutes after its last heartbeat or opened item, when its link or the access of its creator changes, and with the session or API key that created it; requests are then rejected with 410 `preview_ended`. Later visits of the same browser are internal. Only for the owner, collaborators, managers and admins.',
        params: RoomParams,
        response: { 201: RoomPreview },
      },
      handler: (request) =>
        request.inTenant((tx) =>
          createRoomPreview(tx, request.actor, request.params.room_id, { clock, config, secrets, tokens }),
        ),
    })
  }
