import { randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { startReceiver } from '../egress/receivers.stand-in.ts'

/** Handles one request to a speech server instead of the protocol. Those of the model server work too. */
export type SpeechBehavior = (response: ServerResponse, protocol: 'openai') => void

type SpeechServerOptions = {
  /** The first requests use these; undefined and all others follow the protocol. */
  behaviors?: (SpeechBehavior | undefined)[]
  transcription?: object
  credential?: object
}

type ReceivedForm = { authorization: unknown; fields: Record<string, string>; file: File | null }
type SecretRequest = {
  expires_after?: { anchor?: string; seconds?: number }
  session?: { type?: string; model?: string; instructions?: string; audio?: { output?: { voice?: string } } }
}
type Reply = { status: number; headers?: Record<string, string>; body: object | string }
type SpeechRequest = {
  method?: string
  url: string
  authorization?: string
  contentType: string
  body: string
}
type ReceivedSecretRequest = { authorization: unknown; body: SecretRequest }

const sampleTranscription = {
  task: 'transcribe',
  language: 'english',
  duration: 8.4700002,
  text: 'Good morning. Shall we talk about next steps?',
  segments: [
    { id: 0, seek: 0, start: 0, end: 3.3199999, text: ' Good morning.', tokens: [1], avg_logprob: -0.2 },
    { id: 1, seek: 0, start: 3.3199999, end: 8.4700002, text: ' Shall we talk about next steps?', tokens: [2] },
  ],
}

/** Starts a server on loopback with the transcription and realtime endpoints of OpenAI, which rejects what they reject. */
export async function startSpeechServer({
  behaviors = [],
  transcription = sampleTranscription,
  credential,
}: SpeechServerOptions = {}) {
  const forms: ReceivedForm[] = []
  const secretRequests: ReceivedSecretRequest[] = []
  const secretExpiries = new Map<string, number>()
  let requestCount = 0

  const { port, received } = await startReceiver(async ({ method, url = '', headers }, response) => {
    const behavior = behaviors[requestCount++]
    const { bytes, body } = received.at(-1)!
    const { authorization, 'content-type': contentType = '' } = headers
    if (url === '/v1/audio/transcriptions') forms.push(await readForm(bytes, contentType, authorization))
    if (url === '/v1/realtime/client_secrets') secretRequests.push({ authorization, body: JSON.parse(body) })
    if (behavior) behavior(response, 'openai')
    else send(response, replyTo({ method, url, authorization, contentType, body }))
  })

  function replyTo({ method, url, authorization, contentType, body }: SpeechRequest): Reply {
    if (method !== 'POST') return invalid(405, 'Only POST is supported.')
    if (!authorization?.startsWith('Bearer ')) return invalid(401, 'You did not provide an API key.')
    if (url === '/v1/audio/transcriptions') return transcribe(forms.at(-1)!)
    if (url === '/v1/realtime/client_secrets') return createSecret(secretRequests.at(-1)!.body)
    if (url === '/v1/realtime/calls') return startCall(authorization.slice('Bearer '.length), contentType, body)
    return invalid(404, `Unknown request URL: POST ${url}.`)
  }

  function transcribe({ fields, file }: ReceivedForm): Reply {
    if (!file?.size || !/\.(flac|mp3|mp4|mpeg|mpga|m4a|ogg|wav|webm)$/.test(file.name))
      return invalid(400, 'Invalid file format.')
    if (file.size > 26_214_400) return invalid(413, 'Maximum content size limit exceeded.')
    if (!fields.model) return invalid(400, 'You must provide a model parameter.')
    return { status: 200, body: fields.response_format === 'verbose_json' ? transcription : { text: 'no segments' } }
  }

  function createSecret({ expires_after: expiry, session }: SecretRequest): Reply {
    const seconds = expiry?.seconds ?? 600
    if (expiry?.anchor !== 'created_at' || !Number.isInteger(seconds) || seconds < 10 || seconds > 7_200)
      return invalid(400, "Invalid 'expires_after'.")
    if (session?.type !== 'realtime' || !session.model) return invalid(400, "Invalid 'session'.")
    const value = `ek_${randomBytes(16).toString('hex')}`
    const expiresAt = Math.floor(Date.now() / 1_000) + seconds
    secretExpiries.set(value, expiresAt)
    return { status: 200, body: { value, expires_at: expiresAt, session, ...credential } }
  }

  /** Answers an SDP offer, as the browser sends it with the credential. */
  function startCall(secret: string, contentType: string, offer: string): Reply {
    const expiresAt = secretExpiries.get(secret) ?? 0
    if (expiresAt < Date.now() / 1_000) return invalid(401, 'Incorrect API key provided.')
    if (contentType !== 'application/sdp' || !offer.startsWith('v=0')) return invalid(400, 'Invalid SDP.')
    const headers = { 'content-type': 'application/sdp', location: `/v1/realtime/calls/rtc_${secret.slice(3)}` }
    return { status: 201, headers, body: 'v=0\r\no=- 1 1 IN IP4 127.0.0.1\r\ns=-\r\nt=0 0\r\n' }
  }

  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests: () => received.length,
    /** Everything that was sent, to search it for what must not be sent. */
    sentText: () => received.map(({ body }) => body).join('\n'),
    forms,
    secretRequests,
  }
}

async function readForm(bytes: Buffer, contentType: string, authorization: unknown): Promise<ReceivedForm> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData()
  const entries = [...form.entries()]
  const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === 'string'
  const file = form.get('file')
  return {
    authorization,
    fields: Object.fromEntries(entries.filter(isText)),
    file: typeof file === 'string' ? null : file,
  }
}

const invalid = (status: number, message: string): Reply => ({
  status,
  body: { error: { message, type: 'invalid_request_error', param: null, code: null } },
})

function send(response: ServerResponse, { status, headers, body }: Reply): void {
  response
    .writeHead(status, headers ?? { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body))
}
