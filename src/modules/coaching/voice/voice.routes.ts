import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { PersonaParams } from '../personas/personas.schemas.ts'
import { startVoiceCall } from './start-voice-call.flow.ts'
import { VoiceCall, VoiceCallOptions } from './voice.schemas.ts'

export const voiceRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/enablement/coaching/personas/:persona_id/voice-call/start',
      config: { scope: 'coaching.write', notWhileImpersonating: true, oneTimeFields: ['voice.credential'] },
      schema: {
        operationId: 'startVoiceCall',
        summary: 'Start a voice call',
        description:
          'Creates a roleplay and asks the voice provider of the workspace for a credential with which the client connects; the call must start within 60 seconds. The provider does not get facts and objections of the persona. Without a provider, if it fails, or when the minutes of the day are used up, `voice.mode` is `text` and the session works in writing. A call counts with its maximum duration, at most 15 minutes, until it is finished. The client sends the transcript with the messages, so `integrity` is `client`.',
        params: PersonaParams,
        body: VoiceCallOptions,
        response: { 201: VoiceCall },
      },
      handler: (request) => {
        const input = { personaId: request.params.persona_id, options: request.body }
        return startVoiceCall(services, request.actor, input, (work) => request.inTenant(work))
      },
    })
  }
