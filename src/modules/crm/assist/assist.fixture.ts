import { openModels } from '#platform/ai'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { type Behaviour, modelServer } from '../../../platform/ai/model.stand-in.ts'
import { workspaceModel } from '../../identity/settings/workspace-model.ts'
import type { Acme } from '../leads/leads.fixture.ts'
import type { LeadRow } from '../leads/leads.queries.ts'
import type { Moment } from './assist.queries.ts'
import type { Judgement } from './assist.schemas.ts'
import type { Material } from './material.rules.ts'

export const now = new Date('2026-03-10T12:00:00Z')
export const daysAgo = (days: number): Date => daysLater(now, -days)

/** Somebody of whom nothing is known but a name, for rules. */
const nobody = {
  ...{ id: newId(), first_name: null, last_name: 'Moss', name: 'Moss', email: null, phone: null, title: null },
  ...{ company: null, company_domain: null, industry: null, employee_count: null, country: null, region: null },
  ...{ annual_revenue_minor: null, annual_revenue_currency: null, annual_revenue_base_minor: null },
  ...{ source: 'manual', source_detail: null, status: 'working', lifecycle_stage: 'lead', custom: {} },
  ...{ fit_score: 50, engagement_score: 20, score: 35, grade: 'C', score_reasons: [] },
  ...{ email_status: 'unknown', call_status: 'allowed', first_responded_at: null },
  ...{ last_activity_at: daysAgo(10), last_engaged_at: null, created_at: daysAgo(60) },
}

export function materialWith(lead: Partial<LeadRow> = {}, others: Partial<Material> = {}): Material {
  const settings = { ai: { enabled: true }, consent: { mode: 'opt_out' } } as Material['settings']
  return {
    ...{ lead: { ...nobody, ...lead } as LeadRow, owner: 'Grace Hopper', moments: [], interest: [] },
    ...{ touchedAt: [], answeredAt: null, markOfA: 70, millionMinor: 100_000_000, settings, now },
    ...others,
  }
}

export const moment = (type: string, days: number, more: Partial<Moment> = {}): Moment => ({
  ...{ id: newId(), type, direction: 'in', subject: null, body: null, outcome: null, occurred_at: daysAgo(days) },
  ...more,
})

const unknown = { state: 'unknown' as const, evidence: [] }

/** What a model may say of a lead with a title. */
export const goodJudgement: Judgement = {
  verdict: 'qualified',
  confidence: 0.8,
  criteria: {
    budget: unknown,
    authority: { state: 'known', evidence: [{ kind: 'field', ref: 'title', text: 'She decides.' }] },
    need: unknown,
    timing: unknown,
  },
  reasons: ['She decides.'],
  next_best_action: { action: 'call_now', why: 'She waits.' },
}

/** The application, whose models are given up after a second. */
export async function startAssistApp(environment: Record<string, string> = {}) {
  const test = await startTestApp(
    { SAFE_FETCH_ALLOW_PRIVATE: 'true', ...environment },
    {
      prepare: (services) => {
        services.models = openModels({ ...services, readModel: workspaceModel(services.secrets), limitMs: 1_000 })
      },
    },
  )

  /** Gives a workspace a model that behaves like this. */
  async function giveModel(acme: Acme, ...behaviours: [Behaviour, ...Behaviour[]]) {
    const server = await modelServer(...behaviours)
    const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example.com/v1' }
    const { status } = await acme.admin.patch('/api/admin/settings', { ai: { ...ai, api_key: 'sk-of-acme' } })
    if (status !== 200) throw new Error(`The settings answered ${status}.`)
    // Settings take https only, and the stand-in has no certificate.
    await acme.sql(
      `update identity.tenant_settings set doc = jsonb_set(doc, '{base_url}', to_jsonb($2::text)) where tenant_id = $1 and section = 'ai'`,
      [acme.id, server.baseUrl],
    )
    return server
  }

  const results = async (acme: Acme) =>
    (await acme.sql('select * from crm.lead_ai_results where tenant_id = $1 order by id', [acme.id])).rows
  /** Everything the table says of a lead. */
  const rowOf = async (acme: Acme, id: string) =>
    (await acme.sql('select * from crm.leads where tenant_id = $1 and id = $2', [acme.id, id])).rows[0]

  return { ...test, giveModel, results, rowOf }
}

/** Somebody with a title and a company, and no more. */
export const someone = { first_name: 'Ann', last_name: 'Moss', title: 'VP Sales', company: 'Initech' }
