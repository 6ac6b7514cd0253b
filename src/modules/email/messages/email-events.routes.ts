import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { EmailEventResult, NewEmailEvent } from './email-events.schemas.ts'
import { recordEmailEvent } from './email-events.service.ts'

export const emailEventRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/leads/email-events',
      config: { scope: 'leads.write' },
      schema: {
        operationId: 'recordEmailEvent',
        summary: 'Record an email event',
        description:
          'Records what a mail provider reports about a marketing email: a bounce, a complaint or a reply. `message_id` is the `Message-ID` of the email; replies may have it in `in_reply_to` or `references`. If none of them is known, the event belongs to the newest email of the last 30 days to `from` (replies, to an email of a cadence first) or `email` (bounces and complaints). A hard bounce or a complaint stops further email to the address, also if no email is found. A reply of the person is logged as the activity `email_replied`. A repeated `external_id` has no effect and returns the first result.',
        body: NewEmailEvent,
        response: { 200: EmailEventResult },
      },
      handler: (request) => request.inTenant((tx) => recordEmailEvent(tx, request.actor, services, request.body)),
    })
  }
