import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { Roleplay, RoleplayOptions } from '../roleplays/roleplay.schemas.ts'

const { is_private, language } = RoleplayOptions.properties

export const VoiceCallOptions = strict({
  scenario_id: Type.Optional({
    ...Id,
    description: 'A published scenario. Without one, the call is scored by a standard rubric.',
  }),
  language,
  is_private,
})
export type VoiceCallOptions = Static<typeof VoiceCallOptions>

export const voiceFallbackReasons = ['not_configured', 'provider_unavailable', 'budget_exceeded'] as const
export type VoiceFallbackReason = (typeof voiceFallbackReasons)[number]

const VoiceConnection = strict({
  mode: Type.Enum(['realtime', 'text'], { description: '`text`: the session works in writing, for the `reason`.' }),
  reason: nullable(Type.Enum([...voiceFallbackReasons])),
  message: nullable(Type.String({ description: 'The reason as a sentence.' })),
  provider: nullable(Type.Enum(['openai_compatible'])),
  credential: nullable({
    ...strict({ value: Type.String(), expires_at: Timestamp }),
    description: 'Lets the client start one call with the provider. Shown once.',
  }),
  connect: nullable(
    strict({
      transport: Type.Enum(['webrtc']),
      url: Type.String({ format: 'uri', description: 'The client sends its SDP offer to this URL.' }),
      model: Type.String(),
      voice: nullable(Type.String()),
    }),
  ),
  max_duration_seconds: nullable(Type.Integer({ description: 'The conversation ends after this time.' })),
})
export type VoiceConnection = Static<typeof VoiceConnection>

export const VoiceCall = named('CoachingVoiceCall', strict({ session: Roleplay, voice: VoiceConnection }))
export type VoiceCall = Static<typeof VoiceCall>
