import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import type { TenantSchedule } from '#platform/jobs'
import { runTenantSchedule, startTestApp } from '#testing'
import { defaultScoringConfig } from './default-scoring-config.ts'
import type { ScoringConfig } from './scoring.schemas.ts'

export const configUrl = '/api/leads/scoring-config'

export const configWith = (change: Partial<ScoringConfig> = {}): ScoringConfig => ({
  ...defaultScoringConfig,
  ...change,
})

/** Default config with other thresholds for grade A and for MQLs. */
export const configWithThreshold = (a: number, min_score = a) =>
  configWith({ grade_thresholds: { a, b: Math.min(40, a - 1) }, auto_mql: { enabled: true, min_score } })

type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>
type TestSignal = { type: string; direction?: string; outcome?: string; daysAgo?: number }

/** Starts the application with helpers for leads and their signals. */
export async function startScoringApp() {
  const test = await startTestApp()
  const { clock } = test

  /** Inserts activities without rescoring the lead. */
  async function addSignals(acme: Workspace, leadId: string, ...signals: TestSignal[]): Promise<void> {
    for (const { type, direction = 'in', outcome = null, daysAgo = 0 } of signals)
      await acme.sql(
        `insert into crm.activities (tenant_id, id, lead_id, type, direction, outcome, occurred_at, actor_type, source)
         values ($1, $2, $3, $4, $5, $6, $7, 'person', 'api')`,
        [acme.id, newId(), leadId, type, direction, outcome, daysLater(clock.now(), -daysAgo)],
      )
  }

  const postLead = async (acme: Workspace, lead: object) => (await acme.member.post('/api/leads/', lead)).body

  /** Creates a VP who replied two weeks ago, answered a call today and clicked twice last week: score 61. */
  async function postExampleLead(acme: Workspace, { email = 'ann@initech.example' } = {}) {
    const fields = { title: 'VP Marketing', phone: '+49 30 901820', company: 'Initech', industry: 'Software' }
    const lead = await postLead(acme, { ...fields, email, last_name: 'Moss', employee_count: 300 })
    await addSignals(
      acme,
      lead.id,
      { type: 'email', daysAgo: 14 },
      { type: 'call', direction: 'out', outcome: 'connected' },
      { type: 'call', direction: 'out', outcome: 'no_answer' },
      { type: 'email', direction: 'out' },
      { type: 'email_clicked', daysAgo: 7 },
      { type: 'email_clicked', daysAgo: 7 },
    )
    return (await acme.member.post(`/api/leads/${lead.id}/recompute-score`)).body
  }

  /** Inserts leads without a score. */
  async function addLeads(acme: Workspace, count: number): Promise<void> {
    await acme.sql(
      `insert into crm.leads (tenant_id, id, last_name, title, source, search_text, created_on)
       select $1, gen_random_uuid(), 'Lead ' || n, 'CEO', 'import', '', '2026-01-01' from generate_series(1, $2::integer) n`,
      [acme.id, count],
    )
  }

  async function countByConfigVersion(acme: Workspace): Promise<Record<string, number>> {
    const { rows } = await acme.sql(
      'select score_version, count(*)::integer as leads from crm.leads where tenant_id = $1 group by 1 order by 1',
      [acme.id],
    )
    return Object.fromEntries(rows.map(({ score_version, leads }) => [score_version, leads]))
  }

  const runSchedule = (schedule: TenantSchedule) => runTenantSchedule(test, schedule)

  return { ...test, addSignals, postLead, postExampleLead, addLeads, countByConfigVersion, runSchedule }
}
