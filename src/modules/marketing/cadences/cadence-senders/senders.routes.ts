import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { ReplacedSenderSettings, SenderSettings } from './senders.schemas.ts'
import { getSenderSettings, replaceSenderSettings } from './senders.service.ts'

export const cadenceSenderRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/cadences/sender-settings',
      config: { scope: 'cadences.read' },
      schema: {
        operationId: 'getSenderSettings',
        summary: 'Get own sender settings',
        description: 'Absence, daily limit, signature and consent of the caller as a sender of cadences.',
        response: { 200: SenderSettings },
      },
      handler: (request) => request.inTenant((tx) => getSenderSettings(tx, request.actor)),
    })

    app.route({
      method: 'PUT',
      url: '/api/cadences/sender-settings',
      config: { scope: 'cadences.write' },
      schema: {
        operationId: 'replaceSenderSettings',
        summary: 'Replace own sender settings',
        description:
          'Fields that are left out become null, `others_may_enroll` false. No step of the caller runs between `away_from` and `away_to`.',
        body: ReplacedSenderSettings,
        response: { 200: SenderSettings },
      },
      handler: (request) => request.inTenant((tx) => replaceSenderSettings(tx, request.actor, request.body, services)),
    })
  }
