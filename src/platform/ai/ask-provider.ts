import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import { EgressError } from '#platform/egress'
import type { FallbackReason } from './answer.ts'
import { fits } from './check-output.ts'
import type { Model } from './model.ts'
import type { Prompt } from './prompt.rules.ts'

// Its warnings go to the standard error, past the log.
globalThis.AI_SDK_LOG_WARNINGS = false

type Request = {
  model: Model
  prompt: Prompt
  schema: object
  maxOutputTokens: number
  fetch: typeof fetch
  signal: AbortSignal
}

/** `tokens` are those the provider says it used; null where it may have used some and does not say. */
export type Reply =
  | { output: unknown; tokens: number | null }
  | { failure: Exclude<FallbackReason, 'not_configured' | 'budget_exceeded'>; trouble: string; tokens: number | null }

/** One question, one answer: no tools, no stream, no second step. */
export async function askProvider({ model, prompt, schema, signal, ...request }: Request): Promise<Reply> {
  const plain = JSON.parse(JSON.stringify(schema))
  const validate = (value: unknown) =>
    fits(schema, value)
      ? { success: true as const, value }
      : { success: false as const, error: new Error('The answer does not fit the schema.') }
  try {
    const result = await generateText({
      model: languageModel(model, request.fetch),
      instructions: prompt.system,
      messages: [{ role: 'user', content: prompt.data }],
      output: Output.object({ schema: jsonSchema(plain, { validate }) }),
      maxOutputTokens: request.maxOutputTokens,
      temperature: 0,
      maxRetries: 0,
      abortSignal: signal,
      // A strict schema may say nothing of lengths and bounds, and ours do. We look for ourselves.
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    })
    const tokens = counted(result.usage)
    if (result.finalStep.finishReason === 'tool-calls')
      return { failure: 'invalid_output', trouble: 'tool calls', tokens }
    return { output: result.output, tokens }
  } catch (error) {
    return failed(error)
  }
}

/** Every setting is given, since these libraries would look for the missing ones in the environment. */
function languageModel({ provider, baseUrl, name, apiKey }: Model, fetch: typeof globalThis.fetch): LanguageModel {
  if (provider === 'anthropic')
    return createAnthropic({ baseURL: baseUrl ?? 'https://api.anthropic.com/v1', apiKey: apiKey ?? '', fetch })(name)
  return createOpenAICompatible({
    name: 'openaiCompatible',
    baseURL: baseUrl ?? '',
    ...(apiKey !== null && { apiKey }),
    fetch,
    supportsStructuredOutputs: true,
    transformRequestBody: forThinkers,
  })(name)
}

/** OpenAI's models that think first refuse a temperature, and call the limit by another name. */
function forThinkers(body: Record<string, unknown>): Record<string, unknown> {
  if (!/^(o\d|gpt-([5-9]|\d\d))/.test(String(body.model))) return body
  const { temperature: _, max_tokens, ...rest } = body
  return { ...rest, max_completion_tokens: max_tokens }
}

/** Nothing of what an error says goes any further: it may quote the key, or what people wrote. */
function failed(error: unknown): Reply {
  const chain = causesOf(error)
  const noObject = chain.find((one) => NoObjectGeneratedError.isInstance(one))
  if (noObject) return { failure: 'invalid_output', trouble: 'schema', tokens: counted(noObject.usage) }

  const onTheWay = chain.find((one) => one instanceof EgressError)
  if (chain.some(({ name }) => name === 'TimeoutError') || onTheWay?.reason === 'timeout')
    return { failure: 'timeout', trouble: 'timeout', tokens: null }
  if (onTheWay) return { failure: 'provider_error', trouble: onTheWay.reason, tokens: cameThrough(onTheWay) ? null : 0 }

  const status = chain.find((one) => APICallError.isInstance(one))?.statusCode
  if (status === undefined) return { failure: 'provider_error', trouble: chain[0]?.name ?? 'unknown', tokens: null }
  return { failure: 'provider_error', trouble: `status ${status}`, tokens: status >= 400 ? 0 : null }
}

/** Whether the model may have worked although nothing of use came back. */
const cameThrough = ({ reason, code }: EgressError): boolean =>
  reason === 'too_large' || (reason === 'connect' && code !== 'ECONNREFUSED')

function causesOf(error: unknown): Error[] {
  const chain: Error[] = []
  for (let one = error; one instanceof Error && chain.length < 10; one = one.cause) chain.push(one)
  return chain
}

const mostBelieved = 10_000_000

/** A server may say anything. */
function counted(usage: { totalTokens?: number | undefined } | undefined): number | null {
  const tokens = usage?.totalTokens
  if (tokens === undefined || !Number.isFinite(tokens)) return null
  return Math.min(Math.max(Math.ceil(tokens), 0), mostBelieved)
}
