import { Type } from 'typebox'
import { systemIn } from '#platform/access'
import { openRedis } from '#platform/cache'
import { type Clock, systemClock } from '#platform/clock'
import type { Db } from '#platform/db'
import { openEgress } from '#platform/egress'
import { newId } from '#platform/ids'
import { openLimits } from '#platform/limits'
import { strict } from '#platform/schema'
import { openLog } from '#platform/telemetry'
import { type Model, openModels } from './index.ts'

/** What the tests ask: is this lead worth a call? */
export const Verdict = strict({
  verdict: Type.Enum(['qualified', 'nurture', 'disqualify']),
  confidence: Type.Number({ minimum: 0, maximum: 1 }),
  reason: Type.String({ maxLength: 200 }),
})
export const good = { verdict: 'nurture' as const, confidence: 0.5, reason: 'no budget yet' }
export const byTheRules = () => ({ verdict: 'disqualify' as const, confidence: 0.4, reason: 'rules' })

export const question = {
  purpose: 'lead_qualification',
  instructions: 'Say whether the lead is worth a call.',
  data: { name: 'Zoé', note: 'asked for a demo' },
  schema: Verdict,
}

export const apiKey = 'sk-canary-0123456789'

export const openAi = (baseUrl: string, change: Partial<Model> = {}): Model => ({
  provider: 'openai_compatible',
  baseUrl,
  name: 'llama-3',
  apiKey,
  monthlyTokenLimit: null,
  ...change,
})

export const anthropic = (baseUrl: string, change: Partial<Model> = {}): Model =>
  openAi(baseUrl, { provider: 'anthropic', name: 'claude-sonnet-4-5', ...change })

type Given = {
  db: Db
  model: Model | null
  readModel?: () => Promise<Model | null>
  clock?: Clock
  limitMs?: number
  isProduction?: boolean
}

/** The port of a process whose workspaces all have the same model, and what it logged. */
export function portTo({ db, model, clock = systemClock, limitMs, isProduction = false, ...given }: Given) {
  const written: string[] = []
  const log = openLog({ LOG_LEVEL: 'info' }, { write: (line) => written.push(line) })
  const config = { APP_DOMAIN: 'tributary.example', SAFE_FETCH_ALLOW_PRIVATE: !isProduction }
  const models = openModels({
    db,
    egress: openEgress({ config }),
    limits: openLimits({
      redis: openRedis({ REDIS_URL: '', log }),
      config: { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 },
      clock,
    }),
    clock,
    log,
    readModel: given.readModel ?? (async () => model),
    ...(limitMs && { limitMs }),
  })
  return { models, text: () => written.join(''), lines: () => written.map((line) => JSON.parse(line)) }
}

/** A job of a workspace that nobody else knows. */
export const newcomer = () => systemIn(newId())
