import { systemIn } from '#platform/access'
import { daysLater } from '#platform/clock'
import { inSystem, inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import type { Schedule } from '#platform/jobs'
import { startTestApp } from '#testing'
import { defaultConfig } from './default-config.ts'
import type { ScoringConfig } from './scoring.schemas.ts'

export const configUrl = '/api/leads/scoring-config'

/** The rules we begin with, and what is different. */
export const configWith = (change: Partial<ScoringConfig> = {}): ScoringConfig => ({ ...defaultConfig, ...change })

/** Another mark for an A, and for who is worth a marketer's time. */
export const marks = (a: number, min_score = a) =>
  configWith({ grade_thresholds: { a, b: Math.min(40, a - 1) }, auto_mql: { enabled: true, min_score } })

type Workspace = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>
type Seen = { type: string; direction?: string; outcome?: string; daysAgo?: number }

/** The application, with ways to make things happen to leads that other rooms see to. */
export async function startScoringApp() {
  const test = await startTestApp()
  const { clock, db, systemDb } = test

  /** Puts signals into the timeline of a lead. Nobody is scored by it. */
  async function see(acme: Workspace, leadId: string, ...signals: Seen[]): Promise<void> {
    for (const { type, direction = 'in', outcome = null, daysAgo = 0 } of signals)
      await acme.sql(
        `insert into crm.activities (tenant_id, id, lead_id, type, direction, outcome, occurred_at, actor_type, source)
         values ($1, $2, $3, $4, $5, $6, $7, 'person', 'api')`,
        [acme.id, newId(), leadId, type, direction, outcome, daysLater(clock.now(), -daysAgo)],
      )
  }

  const capture = async (acme: Workspace, lead: object) => (await acme.member.post('/api/leads/', lead)).body

  /** A VP who replied two weeks ago, answered a call today and clicked twice last week: 61 points. */
  async function captureExample(acme: Workspace, { email = 'ann@initech.example' } = {}) {
    const said = { title: 'VP Marketing', phone: '+49 30 901820', company: 'Initech', industry: 'Software' }
    const lead = await capture(acme, { ...said, email, last_name: 'Moss', employee_count: 300 })
    await see(
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

  /** Leads that nobody has scored yet. */
  async function addLeads(acme: Workspace, count: number): Promise<void> {
    await acme.sql(
      `insert into crm.leads (tenant_id, id, last_name, title, source, search_text, created_on)
       select $1, gen_random_uuid(), 'Lead ' || n, 'CEO', 'import', '', '2026-01-01' from generate_series(1, $2::integer) n`,
      [acme.id, count],
    )
  }

  /** How many leads stand on each version of the rules. */
  async function versions(acme: Workspace): Promise<Record<string, number>> {
    const { rows } = await acme.sql(
      'select score_version, count(*)::integer as leads from crm.leads where tenant_id = $1 group by 1 order by 1',
      [acme.id],
    )
    return Object.fromEntries(rows.map(({ score_version, leads }) => [score_version, leads]))
  }

  const runNow = (schedule: Schedule) =>
    schedule.run({
      inSystem: (work) => inSystem(systemDb, work),
      inTenant: (tenantId, work) => inTenant(db, systemIn(tenantId), work),
      signal: new AbortController().signal,
      log: { info: () => {}, warn: () => {}, error: ({ err }: { err?: unknown }) => Promise.reject(err) },
    })

  return { ...test, see, capture, captureExample, addLeads, versions, runNow }
}

export async function until<T>(look: () => Promise<T>, isSo: (seen: T) => boolean, seconds = 30): Promise<T> {
  for (const end = Date.now() + seconds * 1_000; ; ) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > end) throw new Error(`It did not happen within ${seconds} seconds: ${JSON.stringify(seen)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
