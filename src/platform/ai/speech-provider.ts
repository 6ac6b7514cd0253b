import type { Static, TSchema } from 'typebox'
import { type Egress, EgressError } from '#platform/egress'
import { trimEndOf } from '#platform/text'
import { isValidOutput } from './model-answer.ts'
import { postToProvider } from './provider-fetch.ts'

/** A server with the speech endpoints of OpenAI. */
export type SpeechProvider = { baseUrl: string; model: string; apiKey: string | null }

/** `detail` contains neither user data nor the API key, so it can be logged and shown. */
export type SpeechFailure = { failure: 'timeout' | 'provider_error' | 'invalid_output'; detail: string }

type SpeechCall<S extends TSchema> = {
  path: string
  contentType: string
  body: string | Buffer
  schema: S
  maxResponseBytes: number
  timeoutMs: number
  signal?: AbortSignal
}

export const speechUrl = ({ baseUrl }: Pick<SpeechProvider, 'baseUrl'>, path: string): string =>
  `${trimEndOf(baseUrl, /\//)}${path}`

/** Rejects only if the caller aborts. */
export async function callSpeechProvider<S extends TSchema>(
  egress: Egress,
  provider: SpeechProvider,
  call: SpeechCall<S>,
): Promise<{ output: Static<S> } | SpeechFailure> {
  const { path, contentType, body, schema, maxResponseBytes, timeoutMs, signal } = call
  const headers = {
    'content-type': contentType,
    ...(provider.apiKey !== null && { authorization: `Bearer ${provider.apiKey}` }),
  }
  try {
    const response = await postToProvider(
      speechUrl(provider, path),
      { headers, body, maxBytes: maxResponseBytes },
      { egress, endsAt: performance.now() + timeoutMs, ...(signal && { signal }) },
    )
    if (response.status >= 400) return { failure: 'provider_error', detail: `status ${response.status}` }
    const output: unknown = JSON.parse(response.body.toString())
    if (!isValidOutput(schema, output)) return { failure: 'invalid_output', detail: 'schema' }
    return { output: output as Static<S> }
  } catch (error) {
    signal?.throwIfAborted()
    return toSpeechFailure(error)
  }
}

/** Drops the error message, which may contain the API key. */
function toSpeechFailure(error: unknown): SpeechFailure {
  if (error instanceof EgressError) {
    const failure = error.reason === 'timeout' ? 'timeout' : 'provider_error'
    return { failure, detail: error.reason }
  }
  if (error instanceof SyntaxError) return { failure: 'invalid_output', detail: 'JSON' }
  return { failure: 'provider_error', detail: error instanceof Error ? error.name : 'unknown' }
}
