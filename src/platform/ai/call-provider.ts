import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, type LanguageModel, NoObjectGeneratedError, Output } from 'ai'
import { EgressError } from '#platform/egress'
import { type FallbackReason, isValidOutput, type Model } from './model-answer.ts'
import type { Prompt } from './prompt.rules.ts'

// The SDK writes warnings to stderr instead of the log.
globalThis.AI_SDK_LOG_WARNINGS = false

type ProviderRequest = {
  model: Model
  prompt: Prompt
  schema: object
  maxOutputTokens: number
  fetch: typeof fetch
  signal: AbortSignal
}

/** `tokens` is the usage reported by the provider; null if it may have used tokens without reporting them. */
export type ProviderResult =
  | { output: unknown; tokens: number | null }
  | { failure: Exclude<FallbackReason, 'not_configured' | 'budget_exceeded'>; detail: string; tokens: number | null }

export async function callProvider({
  model,
  prompt,
  schema,
  signal,
  ...request
}: ProviderRequest): Promise<ProviderResult> {
  const plainSchema = JSON.parse(JSON.stringify(schema))
  const validate = (value: unknown) =>
    isValidOutput(schema, value)
      ? { success: true as const, value }
      : { success: false as const, error: new Error('The output does not match the schema.') }
  try {
    const result = await generateText({
      model: createLanguageModel(model, request.fetch),
      instructions: prompt.system,
      messages: [{ role: 'user', content: prompt.data }],
      output: Output.object({ schema: jsonSchema(plainSchema, { validate }) }),
      maxOutputTokens: request.maxOutputTokens,
      temperature: 0,
      maxRetries: 0,
      abortSignal: signal,
      // Strict mode does not allow length and range constraints, which our schemas have; the output is validated here instead.
      providerOptions: { openaiCompatible: { strictJsonSchema: false } },
    })
    const tokens = totalTokensOf(result.usage)
    if (result.finalStep.finishReason === 'tool-calls')
      return { failure: 'invalid_output', detail: 'tool calls', tokens }
    return { output: result.output, tokens }
  } catch (error) {
    return toFailure(error)
  }
}

/** Passes every setting explicitly, because the SDK reads missing ones from the environment. */
function createLanguageModel(
  { provider, baseUrl, name, apiKey }: Model,
  fetch: typeof globalThis.fetch,
): LanguageModel {
  if (provider === 'anthropic')
    return createAnthropic({ baseURL: baseUrl ?? 'https://api.anthropic.com/v1', apiKey: apiKey ?? '', fetch })(name)
  return createOpenAICompatible({
    name: 'openaiCompatible',
    baseURL: baseUrl ?? '',
    ...(apiKey !== null && { apiKey }),
    fetch,
    supportsStructuredOutputs: true,
    transformRequestBody: adaptForReasoningModels,
  })(name)
}

/** OpenAI's reasoning models reject `temperature` and use `max_completion_tokens`. */
function adaptForReasoningModels(body: Record<string, unknown>): Record<string, unknown> {
  if (!/^(o\d|gpt-([5-9]|\d\d))/.test(String(body.model))) return body
  const { temperature: _, max_tokens, ...rest } = body
  return { ...rest, max_completion_tokens: max_tokens }
}

/** Drops the error message, which may contain the API key or user data. */
function toFailure(error: unknown): ProviderResult {
  const chain = errorChain(error)
  const noObject = chain.find((cause) => NoObjectGeneratedError.isInstance(cause))
  if (noObject) return { failure: 'invalid_output', detail: 'schema', tokens: totalTokensOf(noObject.usage) }

  const egressError = chain.find((cause) => cause instanceof EgressError)
  if (chain.some(({ name }) => name === 'TimeoutError') || egressError?.reason === 'timeout')
    return { failure: 'timeout', detail: 'timeout', tokens: null }
  if (egressError)
    return { failure: 'provider_error', detail: egressError.reason, tokens: mayHaveUsedTokens(egressError) ? null : 0 }

  const status = chain.find((cause) => APICallError.isInstance(cause))?.statusCode
  if (status === undefined) return { failure: 'provider_error', detail: chain[0]?.name ?? 'unknown', tokens: null }
  return { failure: 'provider_error', detail: `status ${status}`, tokens: status >= 400 ? 0 : null }
}

const mayHaveUsedTokens = ({ reason, code }: EgressError): boolean =>
  reason === 'too_large' || (reason === 'connect' && code !== 'ECONNREFUSED')

function errorChain(error: unknown): Error[] {
  const chain: Error[] = []
  for (let cause = error; cause instanceof Error && chain.length < 10; cause = cause.cause) chain.push(cause)
  return chain
}

const maxReportedTokens = 10_000_000

function totalTokensOf(usage: { totalTokens?: number | undefined } | undefined): number | null {
  const tokens = usage?.totalTokens
  if (tokens === undefined || !Number.isFinite(tokens)) return null
  return Math.min(Math.max(Math.ceil(tokens), 0), maxReportedTokens)
}
