import type { Static, TObject } from 'typebox'
import type { Actor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import type { Egress } from '#platform/egress'
import { AppError } from '#platform/errors'
import { buckets, type Limits, limitHeaders } from '#platform/limits'
import { SecretUnreadable } from '#platform/secrets'
import type { Log } from '#platform/telemetry'
import { type Answered, type ByModel, byModel, type FallbackReason, type NoModel, noModel } from './answer.ts'
import { type Booking, book, settle } from './budget.queries.ts'
import { fetchThrough } from './egress-fetch.ts'
import type { Model } from './model.ts'
import { mostTokens, type Prompt, promptOf } from './prompt.rules.ts'

export type Question<S extends TObject = TObject> = {
  /** What it is for, in the log: `lead_qualification`. */
  purpose: string
  /** Written by us, the same for everybody. */
  instructions: string
  /** Everything people wrote, and whatever else the answer depends on. */
  data: unknown
  /** The answer is an object that fits this exactly. */
  schema: S
  maxOutputTokens?: number
  /** The workspace wants no model for this: its rules answer, and nothing leaves the house. */
  isOff?: boolean
  /** When nobody waits for the answer any more. */
  signal?: AbortSignal
}

export type Models = {
  /** Asks the model of the actor's workspace. Where none answers in time and in form, it says why, and the caller goes by its rules. */
  ask<S extends TObject>(actor: Actor, question: Question<S>): Promise<ByModel<Static<S>> | NoModel>
  /** The same with the rules at hand: there is always an answer. */
  askOr<S extends TObject>(actor: Actor, question: Question<S>, rules: () => Static<S>): Promise<Answered<Static<S>>>
  /** How often who answered: `model`, or why not. */
  outcomes(): ReadonlyMap<string, number>
}

type Options = {
  db: Db
  egress: Egress
  limits: Limits
  clock: Clock
  log: Log
  /** The model of the transaction's workspace; null if it has none. */
  readModel(tx: TenantTx): Promise<Model | null>
  /** For everything the provider does, a second attempt included. */
  limitMs?: number
}

type Asked = Question & { maxOutputTokens: number }
type Call = { answer: ByModel<unknown> | NoModel; model?: string; spent?: number | null; trouble?: string }

/** Nothing here takes a transaction: a model is asked between two of them, never inside one. */
export function openModels({ db, egress, limits, clock, log, readModel, limitMs = 20_000 }: Options): Models {
  const outcomes = new Map<string, number>()

  async function ask<S extends TObject>(actor: Actor, question: Question<S>) {
    question.signal?.throwIfAborted()
    await takeTurn(limits, actor)
    const began = performance.now()
    const { answer, ...told } = await call(actor, question)
    const { engine, fallback_reason } = answer
    const outcome = fallback_reason ?? engine
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    const ms = Math.round(performance.now() - began)
    const { purpose } = question
    log.info({ tenant_id: actor.tenantId, purpose, engine, fallback_reason, ms, ...told }, 'a model was asked')
    return answer as ByModel<Static<S>> | NoModel
  }

  async function call(actor: Actor, question: Question): Promise<Call> {
    if (question.isOff) return { answer: noModel('not_configured'), trouble: 'off' }
    const { instructions, data, schema, maxOutputTokens = 2_000 } = question
    const prompt = promptOf(instructions, data)
    const tokens = mostTokens(prompt, schema, maxOutputTokens)
    const booking = { month: `${clock.now().toISOString().slice(0, 7)}-01`, tokens }
    const found = await inTenant(db, actor, (tx) => prepare(tx, booking))
    if ('reason' in found) return { answer: noModel(found.reason), trouble: found.trouble }

    const { model } = found
    const reply = await send(model, prompt, { ...question, maxOutputTokens })
    // What the provider does not tell is taken to be what was booked.
    const spent = reply.tokens ?? tokens
    await putRight(actor, booking, spent)
    question.signal?.throwIfAborted()
    const told = { model: model.name, spent: reply.tokens }
    if ('failure' in reply) return { answer: noModel(reply.failure), trouble: reply.trouble, ...told }
    return { answer: byModel(model.name, reply.output), ...told }
  }

  async function prepare(tx: TenantTx, booking: Booking) {
    const model = await readModel(tx).catch((error) => {
      if (error instanceof SecretUnreadable) return undefined
      throw error
    })
    if (!model) return { reason: 'not_configured' as FallbackReason, ...(model === undefined && { trouble: 'key' }) }
    const isBooked = await book(tx, booking, model.monthlyTokenLimit)
    return isBooked ? { model } : { reason: 'budget_exceeded' as FallbackReason }
  }

  async function send(model: Model, prompt: Prompt, { schema, maxOutputTokens, signal: given }: Asked) {
    const endsAt = performance.now() + limitMs
    const limit = AbortSignal.timeout(limitMs)
    const signal = given ? AbortSignal.any([limit, given]) : limit
    const fetch = fetchThrough({ egress, endsAt, signal })
    // The libraries behind it are large, and many workspaces have no model.
    const { askProvider } = await import('./ask-provider.ts')
    return await askProvider({ model, prompt, schema, maxOutputTokens, fetch, signal })
  }

  async function putRight(actor: Actor, booking: Booking, spent: number): Promise<void> {
    if (spent === booking.tokens) return
    try {
      await inTenant(db, actor, (tx) => settle(tx, booking, spent))
    } catch (err) {
      // The answer is there; what was booked is on the safe side.
      log.warn({ err, tenant_id: actor.tenantId }, 'what a model used could not be put right')
    }
  }

  return {
    ask,
    async askOr(actor, question, rules) {
      const answer = await ask(actor, question)
      return answer.engine === 'model' ? answer : { ...answer, output: rules() }
    },
    outcomes: () => outcomes,
  }
}

/** Whoever answers, a person asks so often and no oftener. Jobs are held by the budget alone. */
async function takeTurn(limits: Limits, { tenantId, userId }: Actor): Promise<void> {
  if (!userId) return
  const taken = await limits.take({ ...buckets.ai, key: `${tenantId}:${userId}` })
  if (taken.allowed) return
  const message = 'Too many questions to the model. Wait a moment, then try again.'
  throw new AppError(429, 'rate_limited', message, { headers: limitHeaders([taken]) })
}
