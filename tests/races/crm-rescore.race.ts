import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

type Rescore = { task_id: string; status_url: string }

/** Leads per runner: enough for a background task, and in one of four runners enough for two batches. */
const leadCounts = [520, 205, 205, 205]
let runnerCount = 0
const titles = ['CEO', 'Head of Sales', 'Student', 'Baker']
const configUrl = '/api/leads/scoring-config'

const workers = new WeakMap<TestApp, Promise<unknown>>()
function ensureWorker(app: TestApp): Promise<unknown> {
  if (!workers.has(app)) workers.set(app, app.startTestWorker())
  return workers.get(app)!
}

/** After concurrent rule changes all leads must have the scores of the newest rules. */
export const rulesAgainstRescore: Race = {
  name: 'rules changed during a rescore',
  weight: 5,
  async prepare(app) {
    const acme = await app.tenant()
    const { body: rules } = await acme.manager.get(configUrl)
    const leads = leadCounts[runnerCount++ % leadCounts.length]!
    await addLeads(acme, leads)
    await ensureWorker(app)
    let averageMs = 300
    return async () => {
      const { body: previous } = await acme.manager.put(configUrl, randomRules(rules))
      await sleep(Math.random() ** 2 * 1.3 * averageMs)

      const startedAt = Date.now()
      const leadId = await pickLead(acme)
      const [put, patched, created] = await runConcurrently(
        () => acme.manager.put(configUrl, randomRules(rules)),
        () => acme.member.patch(`/api/leads/${leadId}`, { title: pick(titles) }),
        () => acme.member.post('/api/leads/', { last_name: 'Raced', title: pick(titles) }),
      )

      const failed = [put, patched, created].filter(({ status }) => status > 201)
      if (failed.length) return { violation: failed.map(({ text }) => text).join() }
      const newest = await waitForTask(acme, put.body.rescore)
      averageMs = (averageMs * 3 + Date.now() - startedAt) / 4
      const older = await waitForTask(acme, previous.rescore)
      const deviation = await findWrongScores(acme, { leads: leads + 1, version: put.body.version })
      await acme.member.delete(`/api/leads/${created.body.id}`)
      if (newest.state !== 'succeeded') return { violation: `newest task: ${JSON.stringify(newest)}` }
      if (deviation) return { violation: deviation }
      if (older.state !== 'succeeded' && older.state !== 'cancelled')
        return { violation: `previous task ${older.state}` }
      if (older.state === 'succeeded') return { outcome: 'rescore first' }
      return { outcome: older.progress.done ? 'rules in between' : 'rules first' }
    }
  },
}

const pick = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)]!

/** Random weights and thresholds, so that scores and grades change with every run. */
function randomRules({ fit, engagement, auto_mql }: Record<string, object>) {
  const weight = Math.round(Math.random() * 100) / 100
  const weights = { fit: weight, engagement: Math.round((1 - weight) * 100) / 100 }
  return { fit, engagement, auto_mql, weights, grade_thresholds: { a: 70, b: 8 + Math.floor(Math.random() * 50) } }
}

async function addLeads(acme: TestWorkspace, leads: number): Promise<void> {
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, title, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, ($3::text[])[1 + n % 4], 'import', '', '2026-01-01' from generate_series(1, $2::integer) n`,
    [acme.id, leads, titles],
  )
}

async function pickLead(acme: TestWorkspace): Promise<string> {
  const { rows } = await acme.sql(
    `select id from crm.leads where tenant_id = $1 and source = 'import' order by random() limit 1`,
    [acme.id],
  )
  return rows[0].id
}

async function waitForTask(acme: TestWorkspace, { status_url }: Rescore) {
  for (;;) {
    const { body } = await acme.manager.get(status_url)
    if (body.state !== 'queued' && body.state !== 'running') return body
    await sleep(10)
  }
}

type Expected = { leads: number; version: number }

/** Leads with the same title must have the same score, and rescoring one of them must change nothing. */
async function findWrongScores(acme: TestWorkspace, { leads, version }: Expected): Promise<string | undefined> {
  const { rows } = await acme.sql(
    `select distinct on (title) title, id, score_version,
       count(*) over (partition by title)::integer as count,
       (min(array[score_version, fit_score, engagement_score, score, priority_rank]) over (partition by title)
         = max(array[score_version, fit_score, engagement_score, score, priority_rank]) over (partition by title)
         and min(grade) over (partition by title) = max(grade) over (partition by title)) as is_equal
     from crm.leads where tenant_id = $1 and deleted_at is null`,
    [acme.id],
  )
  if (rows.reduce((sum, { count }) => sum + count, 0) < leads) return 'leads were lost'
  for (const { title, id, score_version, is_equal } of rows) {
    const { body } = await acme.member.post(`/api/leads/${id}/recompute-score`)
    const isNewest = score_version === version && body.config_version === version
    if (!is_equal || !isNewest || !isDeepStrictEqual(body.previous, body.current))
      return `${title}: ${is_equal} ${score_version} of ${version} ${JSON.stringify([body.previous, body.current])}`
  }
  return undefined
}
