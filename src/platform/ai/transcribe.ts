import { Type } from 'typebox'
import type { Actor } from '#platform/access'
import type { Egress } from '#platform/egress'
import type { Log } from '#platform/telemetry'
import { callSpeechProvider, type SpeechFailure, type SpeechProvider } from './speech-provider.ts'

export const maxAudioBytes = 25 * 1_048_576
const maxTranscriptLength = 100_000
const maxResponseBytes = 8 * 1_048_576

/** Providers tell the format by the extension of the file name. */
const extensions: Record<string, string> = {
  'audio/ogg': 'ogg',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
  'audio/wav': 'wav',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
}

export type AudioRecording = {
  bytes: Buffer
  mediaType: string
  /** ISO 639-1 code; the provider detects the language without it. */
  language?: string
  signal?: AbortSignal
}

export type TranscriptSegment = { start: number; end: number; text: string }

export type Transcript = {
  text: string
  segments: TranscriptSegment[]
  durationSeconds: number | null
  isTruncated: boolean
}

export type TranscriptionResult = { transcript: Transcript; model: string } | SpeechFailure

export type Transcriber = {
  /** Takes no transaction: a provider must not be called inside one. Rejects only if the caller aborts. */
  transcribe(actor: Actor, provider: SpeechProvider, recording: AudioRecording): Promise<TranscriptionResult>
}

const Seconds = Type.Number({ minimum: 0, maximum: 1_000_000 })

const VerboseTranscription = Type.Object({
  text: Type.String(),
  // Some servers send the duration as a string.
  duration: Type.Optional(Type.Union([Seconds, Type.String({ pattern: '^\\d{1,6}(\\.\\d+)?$' }), Type.Null()])),
  segments: Type.Optional(
    Type.Union([
      Type.Array(Type.Object({ start: Seconds, end: Seconds, text: Type.String() }), { maxItems: 50_000 }),
      Type.Null(),
    ]),
  ),
})

type TranscriberOptions = { egress: Egress; log: Log; timeoutMs?: number }

export const createTranscriber = ({ egress, log, timeoutMs = 300_000 }: TranscriberOptions): Transcriber => ({
  async transcribe(actor, provider, { bytes, mediaType, language, signal }) {
    const extension = extensions[mediaType]
    if (!extension) throw new TypeError(`The media type ${mediaType} cannot be transcribed.`)
    if (bytes.length > maxAudioBytes) throw new RangeError('The recording is too large to be transcribed.')
    signal?.throwIfAborted()
    const began = performance.now()
    const form = new FormData()
    form.set('file', new Blob([new Uint8Array(bytes)], { type: mediaType }), `audio.${extension}`)
    form.set('model', provider.model)
    form.set('response_format', 'verbose_json')
    form.set('timestamp_granularities[]', 'segment')
    if (language) form.set('language', language)
    const encoded = new Response(form)
    const result = await callSpeechProvider(egress, provider, {
      path: '/audio/transcriptions',
      contentType: encoded.headers.get('content-type')!,
      body: Buffer.from(await encoded.arrayBuffer()),
      schema: VerboseTranscription,
      maxResponseBytes,
      timeoutMs,
      ...(signal && { signal }),
    })
    const ms = Math.round(performance.now() - began)
    const outcome = 'failure' in result ? result : { failure: null }
    log.info({ tenant_id: actor.tenantId, bytes: bytes.length, ms, ...outcome }, 'transcription finished')
    if ('failure' in result) return result
    const { text, duration, segments } = result.output
    return { transcript: toTranscript(text, duration ?? null, segments ?? []), model: provider.model }
  },
})

function toTranscript(received: string, duration: number | string | null, segments: TranscriptSegment[]): Transcript {
  const whole = received.trim()
  let length = 0
  const kept = segments
    .map(({ start, end, text }) => ({ start: roundToMillis(start), end: roundToMillis(end), text: text.trim() }))
    .filter(({ start, end, text }) => text && end >= start)
    .sort((one, other) => one.start - other.start)
    .filter(({ text }) => {
      length += text.length + 1
      return length <= maxTranscriptLength
    })
  return {
    text: whole.slice(0, maxTranscriptLength).replace(/[\ud800-\udbff]$/, ''),
    segments: kept,
    durationSeconds: duration === null ? null : roundToMillis(Number(duration)),
    isTruncated: whole.length > maxTranscriptLength,
  }
}

const roundToMillis = (seconds: number): number => Math.round(seconds * 1_000) / 1_000
