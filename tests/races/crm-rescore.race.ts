import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { atOnce, type Race, type World } from './race.ts'

type Acme = Awaited<ReturnType<World['tenant']>>
type Rescore = { task_id: string; status_url: string }

/** As few as make it a task; and in one lane of four so many that the task takes two batches. */
const sizes = [520, 205, 205, 205]
let lanes = 0
const titles = ['CEO', 'Head of Sales', 'Student', 'Baker']
const configUrl = '/api/leads/scoring-config'

const workers = new WeakMap<World, Promise<unknown>>()
function workIn(world: World): Promise<unknown> {
  if (!workers.has(world)) workers.set(world, world.startTestWorker())
  return workers.get(world)!
}

/** However rules change while leads are scored by the former ones, all of them end as the newest rules say. */
export const rulesAgainstRescore: Race = {
  name: 'rules changed during a rescore',
  async openLane(world) {
    const acme = await world.tenant()
    const { body: rules } = await acme.manager.get(configUrl)
    const leads = sizes[lanes++ % sizes.length]!
    await addLeads(acme, leads)
    await workIn(world)
    let usualMs = 300
    return async () => {
      const { body: former } = await acme.manager.put(configUrl, rulesLike(rules))
      await sleep(Math.random() ** 2 * 1.3 * usualMs)

      const began = Date.now()
      const lead = await anyLead(acme)
      const [put, patched, captured] = await atOnce(
        () => acme.manager.put(configUrl, rulesLike(rules)),
        () => acme.member.patch(`/api/leads/${lead}`, { title: anyOf(titles) }),
        () => acme.member.post('/api/leads/', { last_name: 'Raced', title: anyOf(titles) }),
      )

      const refused = [put, patched, captured].filter(({ status }) => status > 201)
      if (refused.length) return { violated: refused.map(({ text }) => text).join() }
      const newest = await ended(acme, put.body.rescore)
      usualMs = (usualMs * 3 + Date.now() - began) / 4
      const older = await ended(acme, former.rescore)
      const odd = await oddScores(acme, { leads: leads + 1, version: put.body.version })
      await acme.member.delete(`/api/leads/${captured.body.id}`)
      if (newest.state !== 'succeeded') return { violated: `the newest task: ${JSON.stringify(newest)}` }
      if (odd) return { violated: odd }
      if (older.state !== 'succeeded' && older.state !== 'cancelled')
        return { violated: `the former task ${older.state}` }
      if (older.state === 'succeeded') return { ended: 'rescore first' }
      return { ended: older.progress.done ? 'rules in between' : 'rules first' }
    }
  },
}

const anyOf = <T>(choices: readonly T[]): T => choices[Math.floor(Math.random() * choices.length)]!

/** Other weights each time, so that many leads get another score, and other marks, so that some of them get another grade. */
function rulesLike({ fit, engagement, auto_mql }: Record<string, object>) {
  const weight = Math.round(Math.random() * 100) / 100
  const weights = { fit: weight, engagement: Math.round((1 - weight) * 100) / 100 }
  return { fit, engagement, auto_mql, weights, grade_thresholds: { a: 70, b: 8 + Math.floor(Math.random() * 50) } }
}

async function addLeads(acme: Acme, leads: number): Promise<void> {
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, title, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Lead ' || n, ($3::text[])[1 + n % 4], 'import', '', '2026-01-01' from generate_series(1, $2::integer) n`,
    [acme.id, leads, titles],
  )
}

async function anyLead(acme: Acme): Promise<string> {
  const { rows } = await acme.sql(
    `select id from crm.leads where tenant_id = $1 and source = 'import' order by random() limit 1`,
    [acme.id],
  )
  return rows[0].id
}

async function ended(acme: Acme, { status_url }: Rescore) {
  for (;;) {
    const { body } = await acme.manager.get(status_url)
    if (body.state !== 'queued' && body.state !== 'running') return body
    await sleep(10)
  }
}

type Expected = { leads: number; version: number }

/** What differs from the newest rules: leads with the same title have the same score, and scoring one of them anew changes nothing. */
async function oddScores(acme: Acme, { leads, version }: Expected): Promise<string | undefined> {
  const { rows } = await acme.sql(
    `select distinct on (title) title, id, score_version,
       count(*) over (partition by title)::integer as alike,
       (min(array[score_version, fit_score, engagement_score, score, priority_rank]) over (partition by title)
         = max(array[score_version, fit_score, engagement_score, score, priority_rank]) over (partition by title)
         and min(grade) over (partition by title) = max(grade) over (partition by title)) as is_one
     from crm.leads where tenant_id = $1 and deleted_at is null`,
    [acme.id],
  )
  if (rows.reduce((sum, { alike }) => sum + alike, 0) < leads) return 'leads were lost'
  for (const { title, id, score_version, is_one } of rows) {
    const { body } = await acme.member.post(`/api/leads/${id}/recompute-score`)
    const isNewest = score_version === version && body.config_version === version
    if (!is_one || !isNewest || !isDeepStrictEqual(body.previous, body.current))
      return `${title}: ${is_one} ${score_version} of ${version} ${JSON.stringify([body.previous, body.current])}`
  }
  return undefined
}
