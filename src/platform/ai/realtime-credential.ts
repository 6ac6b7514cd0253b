import { Type } from 'typebox'
import type { Actor } from '#platform/access'
import type { Clock } from '#platform/clock'
import type { Egress } from '#platform/egress'
import type { RateLimiter } from '#platform/limits'
import type { Log } from '#platform/telemetry'
import { assertUnderRateLimit } from './provider-fetch.ts'
import { callSpeechProvider, type SpeechFailure, type SpeechProvider, speechUrl } from './speech-provider.ts'

/** Seconds in which a call must start; it may continue afterwards. */
const startWindowSeconds = 60
/** A server that ignores the requested lifetime must not hand out a credential for the whole day. */
const maxLifetimeSeconds = 900
const defaultTranscriptionModel = 'whisper-1'

export type RealtimeSession = {
  /** The provider shows the instructions to the client, so they must not contain secrets. */
  instructions: string
  voice: string | null
  speed: number | null
  /** ISO 639-1 code of the speech that is transcribed. */
  language: string | null
  transcriptionModel?: string
  signal?: AbortSignal
}

/** For one response to the caller: it must not be stored or logged. */
export type RealtimeCredential = {
  value: string
  expiresAt: Date
  connect: { transport: 'webrtc'; url: string; model: string; voice: string | null }
}

export type RealtimeClient = {
  /** Asks the provider for a short-lived credential. Takes no transaction; rejects if the caller aborts or is over the rate limit. */
  createCredential(
    actor: Actor,
    provider: SpeechProvider,
    session: RealtimeSession,
  ): Promise<{ credential: RealtimeCredential } | SpeechFailure>
}

const ClientSecret = Type.Object({
  value: Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[\\x21-\\x7e]+$' }),
  expires_at: Type.Number({ minimum: 0, maximum: 100_000_000_000 }),
})

type RealtimeClientOptions = { egress: Egress; limits: RateLimiter; clock: Clock; log: Log; timeoutMs?: number }

export const createRealtimeClient = ({
  egress,
  limits,
  clock,
  log,
  timeoutMs = 10_000,
}: RealtimeClientOptions): RealtimeClient => ({
  async createCredential(actor, provider, session) {
    session.signal?.throwIfAborted()
    await assertUnderRateLimit(limits, actor)
    const began = performance.now()
    const result = await callSpeechProvider(egress, provider, {
      path: '/realtime/client_secrets',
      contentType: 'application/json',
      body: JSON.stringify(toSecretRequest(provider, session)),
      schema: ClientSecret,
      maxResponseBytes: 262_144,
      timeoutMs,
      ...(session.signal && { signal: session.signal }),
    })
    const checked = 'failure' in result ? result : checkLifetime(result.output, clock)
    const { failure, detail } = { failure: null, detail: undefined, ...('failure' in checked && checked) }
    const ms = Math.round(performance.now() - began)
    log.info({ tenant_id: actor.tenantId, ms, failure, detail }, 'realtime credential requested')
    if ('failure' in checked) return checked
    const { model } = provider
    const connect = { transport: 'webrtc' as const, url: speechUrl(provider, '/realtime/calls'), model }
    return { credential: { ...checked, connect: { ...connect, voice: session.voice } } }
  },
})

const toSecretRequest = (
  { model }: SpeechProvider,
  { instructions, voice, speed, language, transcriptionModel = defaultTranscriptionModel }: RealtimeSession,
) => ({
  expires_after: { anchor: 'created_at', seconds: startWindowSeconds },
  session: {
    type: 'realtime',
    model,
    instructions,
    audio: {
      input: { transcription: { model: transcriptionModel, ...(language !== null && { language }) } },
      output: { ...(voice !== null && { voice }), ...(speed !== null && { speed }) },
    },
  },
})

type Issued = { value: string; expires_at: number }

function checkLifetime(
  { value, expires_at }: Issued,
  clock: Clock,
): Omit<RealtimeCredential, 'connect'> | SpeechFailure {
  const expiresAt = new Date(expires_at * 1_000)
  const lifetimeSeconds = (expiresAt.getTime() - clock.now().getTime()) / 1_000
  if (lifetimeSeconds > maxLifetimeSeconds) return { failure: 'invalid_output', detail: 'lifetime' }
  return { value, expiresAt }
}
