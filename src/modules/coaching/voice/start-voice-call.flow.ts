import type { UserActor } from '#platform/access'
import type { RealtimeCredential } from '#platform/ai'
import { inTenant } from '#platform/db'
import type { RequestTransaction } from '#platform/http'
import type { Services } from '#platform/module'
import { voiceOf } from '../personas/personas.rules.ts'
import { buildInstructions } from './voice.rules.ts'
import type { VoiceCall, VoiceCallOptions, VoiceFallbackReason } from './voice.schemas.ts'
import { createVoiceCall, type PreparedCall, prepareCall } from './voice-call.service.ts'

type VoiceServices = Pick<Services, 'db' | 'clock' | 'secrets' | 'realtime'>

/** Asks the provider for a credential without a transaction, then creates the session. */
export async function startVoiceCall(
  services: VoiceServices,
  actor: UserActor,
  { personaId, options }: { personaId: string; options: VoiceCallOptions },
  inRequestTransaction: RequestTransaction,
): Promise<VoiceCall> {
  const { db, clock } = services
  const input = { personaId, options, now: clock.now() }
  const prepared = await inTenant(db, actor, (tx) => prepareCall(tx, actor, services, input))
  const issued = await requestCredential(services, actor, prepared)
  return await inRequestTransaction((tx) => createVoiceCall(tx, actor, { ...prepared, issued }, input))
}

async function requestCredential(
  { realtime }: VoiceServices,
  actor: UserActor,
  { persona, buyer, opening, provider }: PreparedCall,
): Promise<RealtimeCredential | VoiceFallbackReason> {
  if (typeof provider === 'string') return provider
  const { name, speed } = voiceOf(persona.voice)
  const instructions = buildInstructions(buyer, opening)
  const session = { instructions, voice: name, speed, language: buyer.language }
  const result = await realtime.createCredential(actor, provider, session)
  return 'credential' in result ? result.credential : 'provider_unavailable'
}
