import { Type } from 'typebox'
import { systemActor } from '#platform/access'
import { openRedis } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import type { Db } from '#platform/db'
import { createEgress } from '#platform/egress'
import { newId } from '#platform/ids'
import { createRateLimiter } from '#platform/limits'
import { strict } from '#platform/schema'
import { createLogger } from '#platform/telemetry'
import { createModelClient, type Model } from './index.ts'

export const LeadVerdict = strict({
  verdict: Type.Enum(['qualified', 'nurture', 'disqualify']),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  reason: Type.String({ maxLength: 200 }),
})
export const validOutput = { verdict: 'nurture' as const, confidence: 0.5, reason: 'no budget yet' }
export const rulesOutput = () => ({ verdict: 'disqualify' as const, confidence: 0.4, reason: 'rules' })

export const modelRequest = {
  purpose: 'lead_qualification',
  instructions: 'Say whether the lead is worth a call.',
  data: { name: 'Zoé', note: 'asked for a demo' },
  schema: LeadVerdict,
}

export const apiKey = 'sk-canary-0123456789'

export const openAiModel = (baseUrl: string, change: Partial<Model> = {}): Model => ({
  provider: 'openai_compatible',
  baseUrl,
  name: 'llama-3',
  apiKey,
  monthlyTokenLimit: null,
  ...change,
})

export const anthropicModel = (baseUrl: string, change: Partial<Model> = {}): Model =>
  openAiModel(baseUrl, { provider: 'anthropic', name: 'claude-sonnet-4-5', ...change })

type TestModelClientOptions = {
  db: Db
  model: Model | null
  readModel?: () => Promise<Model | null>
  clock?: Clock
  timeoutMs?: number
  isProduction?: boolean
}

/** Creates a model client whose workspaces all use the same model, and captures its log. */
export function createTestModelClient({
  db,
  model,
  clock = systemClock,
  timeoutMs,
  isProduction = false,
  ...overrides
}: TestModelClientOptions) {
  const written: string[] = []
  const log = createLogger({ LOG_LEVEL: 'info' }, { write: (line) => written.push(line) })
  const config = { APP_DOMAIN: 'tributary.example', SAFE_FETCH_ALLOW_PRIVATE: !isProduction }
  const models = createModelClient({
    usage: { count: () => {} },
    db,
    egress: createEgress({ config }),
    limits: createRateLimiter({
      redis: openRedis({ REDIS_URL: '', log }),
      config: { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 },
      clock,
    }),
    clock,
    log,
    readModel: overrides.readModel ?? (async () => model),
    ...(timeoutMs && { timeoutMs }),
  })
  return { models, text: () => written.join(''), lines: () => written.map((line) => JSON.parse(line)) }
}

/** Returns the system actor of a new workspace. */
export const newJobActor = () => systemActor(newId())
