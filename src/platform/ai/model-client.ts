import type { Static, TObject } from 'typebox'
import type { Actor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import type { Egress } from '#platform/egress'
import type { RateLimiter } from '#platform/limits'
import { SecretDecryptionError } from '#platform/secrets'
import type { Log, Metrics } from '#platform/telemetry'
import type { UsageCounter } from '#platform/usage'
import { reserveTokens, settleReservation, type TokenReservation } from './budget.queries.ts'
import {
  type AssistAnswer,
  type FallbackReason,
  type Model,
  type ModelAnswer,
  type RulesFallback,
  toModelAnswer,
  toRulesFallback,
} from './model-answer.ts'
import { buildPrompt, estimateMaxTokens, type Prompt } from './prompt.rules.ts'
import { assertUnderRateLimit, createProviderFetch } from './provider-fetch.ts'

export type ModelRequest<S extends TObject = TObject> = {
  purpose: string
  instructions: string
  data: unknown
  schema: S
  maxOutputTokens?: number
  /** The workspace has disabled the model for this purpose: the rules answer, and no data is sent. */
  isDisabled?: boolean
  signal?: AbortSignal
}

export type ModelClient = {
  /** Asks the model of the actor's workspace. Returns the reason if it has no valid answer in time; the caller then uses its rules. */
  ask<S extends TObject>(actor: Actor, request: ModelRequest<S>): Promise<ModelAnswer<Static<S>> | RulesFallback>
  askWithFallback<S extends TObject>(
    actor: Actor,
    request: ModelRequest<S>,
    rules: () => Static<S>,
  ): Promise<AssistAnswer<Static<S>>>
  outcomes(): ReadonlyMap<string, number>
}

type ModelClientOptions = {
  db: Db
  egress: Egress
  limits: RateLimiter
  clock: Clock
  log: Log
  usage: Pick<UsageCounter, 'count'>
  readModel(tx: TenantTx): Promise<Model | null>
  timeoutMs?: number
}

type CallResult = {
  answer: ModelAnswer<unknown> | RulesFallback
  model?: string
  spent?: number | null
  detail?: string
}

/** Takes no transaction: a model must not be called inside one. */
export function createModelClient({
  db,
  egress,
  limits,
  clock,
  log,
  usage,
  readModel,
  timeoutMs = 20_000,
}: ModelClientOptions): ModelClient {
  const outcomes = new Map<string, number>()

  async function ask<S extends TObject>(actor: Actor, request: ModelRequest<S>) {
    request.signal?.throwIfAborted()
    await assertUnderRateLimit(limits, actor)
    const began = performance.now()
    const { answer, ...details } = await call(actor, request)
    const { engine, fallback_reason } = answer
    const outcome = fallback_reason ?? engine
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const ms = Math.round(performance.now() - began)
    const { purpose } = request
    log.info({ tenant_id: actor.tenantId, purpose, engine, fallback_reason, ms, ...details }, 'model request finished')
    return answer as ModelAnswer<Static<S>> | RulesFallback
  }

  async function call(actor: Actor, request: ModelRequest): Promise<CallResult> {
    if (request.isDisabled) return { answer: toRulesFallback('not_configured'), detail: 'disabled' }
    const { instructions, data, schema, maxOutputTokens = 2_000 } = request
    const prompt = buildPrompt(instructions, data)
    const tokens = estimateMaxTokens(prompt, schema, maxOutputTokens)
    const reservation = { month: `${clock.now().toISOString().slice(0, 7)}-01`, tokens }
    const prepared = await inTenant(db, actor, (tx) => prepare(tx, reservation))
    if ('reason' in prepared) return { answer: toRulesFallback(prepared.reason), detail: prepared.detail }

    const { model } = prepared
    const result = await send(model, prompt, { ...request, maxOutputTokens })
    await settle(actor, reservation, result.tokens ?? tokens)
    usage.count(actor.tenantId, 'ai_tokens', result.tokens ?? tokens)
    request.signal?.throwIfAborted()
    const details = { model: model.name, spent: result.tokens }
    if ('failure' in result) return { answer: toRulesFallback(result.failure), detail: result.detail, ...details }
    return { answer: toModelAnswer(model.name, result.output), ...details }
  }

  async function prepare(tx: TenantTx, reservation: TokenReservation) {
    const model = await readModel(tx).catch((error) => {
      if (error instanceof SecretDecryptionError) return undefined
      throw error
    })
    if (!model) return { reason: 'not_configured' as FallbackReason, ...(model === undefined && { detail: 'key' }) }
    const isReserved = await reserveTokens(tx, reservation, model.monthlyTokenLimit)
    return isReserved ? { model } : { reason: 'budget_exceeded' as FallbackReason }
  }

  async function send(
    model: Model,
    prompt: Prompt,
    { schema, maxOutputTokens, signal: callerSignal }: ModelRequest & { maxOutputTokens: number },
  ) {
    // Loaded lazily, because the SDKs are large and many workspaces have no model; before the timeout starts.
    const { callProvider } = await import('./call-provider.ts')
    const endsAt = performance.now() + timeoutMs
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = callerSignal ? AbortSignal.any([timeout, callerSignal]) : timeout
    const fetch = createProviderFetch({ egress, endsAt, signal })
    return await callProvider({ model, prompt, schema, maxOutputTokens, fetch, signal })
  }

  async function settle(actor: Actor, reservation: TokenReservation, used: number): Promise<void> {
    if (used === reservation.tokens) return
    try {
      await inTenant(db, actor, (tx) => settleReservation(tx, reservation, used))
    } catch (err) {
      // Keep the answer: the reservation is an upper bound, so the budget is not exceeded.
      log.warn({ err, tenant_id: actor.tenantId }, 'token usage could not be recorded')
    }
  }

  return {
    ask,
    async askWithFallback(actor, request, rules) {
      const answer = await ask(actor, request)
      return answer.engine === 'model' ? answer : { ...answer, output: rules() }
    },
    outcomes: () => outcomes,
  }
}

export function registerModelMetrics(metrics: Metrics, models: Pick<ModelClient, 'outcomes'>): void {
  metrics.gauge({
    name: 'ai_answers',
    help: 'Answers since the process started, by outcome: the model, or the reason for the rules fallback.',
    labels: ['outcome'],
    read: () => [...models.outcomes()].map(([outcome, value]) => ({ labels: { outcome }, value })),
  })
}
