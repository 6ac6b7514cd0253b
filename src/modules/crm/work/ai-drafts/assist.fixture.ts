import { createModelClient } from '#platform/ai'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { type ProviderBehavior, startModelServer } from '../../../../platform/ai/model-server.stand-in.ts'
import { createWorkspaceModelReader } from '../../../identity/workspace/settings/workspace-model.ts'
import type { LeadRow } from '../../people/lead-records/leads.queries.ts'
import type { Acme } from '../../people/leads/leads.fixture.ts'
import type { AssistActivity } from './assist.queries.ts'
import type { LeadAssessment } from './assist.schemas.ts'
import type { AssistContext } from './assist-context.rules.ts'

export const now = new Date('2026-03-10T12:00:00Z')
export const daysAgo = (days: number): Date => daysLater(now, -days)

/** A lead with nothing but a name. */
const minimalLead = {
  id: newId(),
  first_name: null,
  last_name: 'Moss',
  name: 'Moss',
  email: null,
  phone: null,
  title: null,
  company: null,
  company_domain: null,
  industry: null,
  employee_count: null,
  country: null,
  region: null,
  annual_revenue_minor: null,
  annual_revenue_currency: null,
  annual_revenue_base_minor: null,
  source: 'manual',
  source_detail: null,
  status: 'working',
  lifecycle_stage: 'lead',
  custom: {},
  fit_score: 50,
  engagement_score: 20,
  score: 35,
  grade: 'C',
  score_reasons: [],
  email_status: 'unknown',
  call_status: 'allowed',
  first_responded_at: null,
  last_activity_at: daysAgo(10),
  last_engaged_at: null,
  created_at: daysAgo(60),
}

export function contextWith(lead: Partial<LeadRow> = {}, others: Partial<AssistContext> = {}): AssistContext {
  const settings = { ai: { enabled: true }, consent: { mode: 'opt_out' } } as AssistContext['settings']
  return {
    lead: { ...minimalLead, ...lead } as LeadRow,
    ownerName: 'Grace Hopper',
    activities: [],
    interestActivities: [],
    outboundAt: [],
    lastReplyAt: null,
    gradeAThreshold: 70,
    millionInMinorUnits: 100_000_000,
    settings,
    now,
    ...others,
  }
}

export const activityOf = (type: string, days: number, fields: Partial<AssistActivity> = {}): AssistActivity => ({
  id: newId(),
  type,
  direction: 'in',
  subject: null,
  body: null,
  outcome: null,
  occurred_at: daysAgo(days),
  ...fields,
})

const unknown = { state: 'unknown' as const, evidence: [] }

/** Valid model output for a lead with a title. */
export const validAssessment: LeadAssessment = {
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

/** Starts the application with a model timeout of one second. */
export async function startAssistApp(environment: Record<string, string> = {}) {
  const test = await startTestApp(
    { SAFE_FETCH_ALLOW_PRIVATE: 'true', ...environment },
    {
      prepare: (services) => {
        services.models = createModelClient({
          ...services,
          readModel: createWorkspaceModelReader(services.secrets),
          timeoutMs: 1_000,
        })
      },
    },
  )

  /** Configures a model with these behaviors for a workspace. */
  async function configureModel(acme: Acme, ...behaviors: [ProviderBehavior, ...ProviderBehavior[]]) {
    const server = await startModelServer(...behaviors)
    const ai = { provider: 'openai_compatible', model: 'llama-3', base_url: 'https://models.example.com/v1' }
    const { status } = await acme.admin.patch('/api/admin/settings', { ai: { ...ai, api_key: 'sk-of-acme' } })
    if (status !== 200) throw new Error(`PATCH settings returned ${status}.`)
    // The settings accept https URLs only, and the stand-in has no certificate.
    await acme.sql(
      `update identity.tenant_settings set doc = jsonb_set(doc, '{base_url}', to_jsonb($2::text)) where tenant_id = $1 and section = 'ai'`,
      [acme.id, server.baseUrl],
    )
    return server
  }

  const listResults = async (acme: Acme) =>
    (await acme.sql('select * from crm.lead_ai_results where tenant_id = $1 order by id', [acme.id])).rows
  const readLeadRow = async (acme: Acme, id: string) =>
    (await acme.sql('select * from crm.leads where tenant_id = $1 and id = $2', [acme.id, id])).rows[0]

  return { ...test, configureModel, listResults, readLeadRow }
}

export const exampleLead = { first_name: 'Ann', last_name: 'Moss', title: 'VP Sales', company: 'Initech' }
