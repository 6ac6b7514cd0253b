import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { evaluateActors } from '../../src/modules/plg/qualifications/evaluate.service.ts'
import { finishRebuild, rebuildBatch, startRebuild } from '../../src/modules/plg/rebuild/rebuild.service.ts'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

const plg = '/api/tenant/plg'
let sent = 0

const newEvents = (count: number, user_ref: string) =>
  Array.from({ length: count }, () => ({
    event_id: `race-${++sent}`,
    name: 'project_created',
    user_ref,
    occurred_at: new Date().toISOString(),
  }))

const runIn = ({ services }: TestApp, { id }: TestWorkspace) => {
  return <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(services.db, systemActor(id), work)
}

/** A rule that two jobs find met at once has one qualification. */
export const actorEvaluatedTwice: Race = {
  name: 'engagement-3-11 two evaluations of one person at once',
  async prepare(app) {
    const acme = await app.tenant()
    const rule = { key: 'builder', name: 'Builder', kind: 'person', window_days: 7, all: [{ min_events: 3 }] }
    await acme.manager.put(`${plg}/settings`, { pql_rules: [rule] })
    const run = runIn(app, acme)
    return async () => {
      const ref = `race-user-${++sent}`
      await acme.manager.post(`${plg}/events`, { events: newEvents(3, ref) })
      const { rows } = await acme.sql('select id from plg.actors where tenant_id = $1 and ref = $2', [acme.id, ref])
      const actorId: string = rows[0].id
      let first = ''
      const evaluate = (name: string) => async () => {
        await run((tx) => evaluateActors(tx, [actorId], new Date(), app.services))
        first ||= name
      }

      await runConcurrently(evaluate('first'), evaluate('second'))

      const found = await acme.sql('select count(*)::int as n from plg.qualifications where actor_id = $1', [actorId])
      return found.rows[0].n === 1 ? { outcome: first } : { violation: `${found.rows[0].n} qualifications` }
    }
  },
}

/** Every event is in the new numbers once, whether the rebuild or its own batch adds it. */
export const rebuildAgainstIngest: Race = {
  name: 'a rebuild of the numbers against new events',
  weight: 5,
  async prepare(app) {
    const acme = await app.tenant()
    const run = runIn(app, acme)
    await acme.manager.post(`${plg}/events`, { events: newEvents(20, 'race-user') })
    let isIdle = false
    return async () => {
      isIdle = !isIdle
      await acme.manager.put(`${plg}/settings`, { inactive_events: isIdle ? ['idle'] : [] })
      let last = ''
      const rebuild = async () => {
        await run((tx) => startRebuild(tx, new Date()))
        while (await run(rebuildBatch));
        while (!(await run((tx) => finishRebuild(tx, new Date()))));
        last = 'rebuild last'
      }
      const ingest = async () => {
        for (let n = 0; n < 3; n++) await acme.manager.post(`${plg}/events`, { events: newEvents(5, `race-user-${n}`) })
        last = 'events last'
      }

      await runConcurrently(rebuild, ingest)

      const { rows } = await acme.sql(
        `select (select count(*)::int from plg.events where tenant_id = $1) as stored,
          (select sum(d.events)::int from plg.event_days d join plg.states s using (tenant_id, generation) where tenant_id = $1) as counted,
          (select sum(d.events)::int from plg.actor_event_days d join plg.states s using (tenant_id, generation) where tenant_id = $1) as of_actors`,
        [acme.id],
      )
      const { stored, counted, of_actors } = rows[0]
      return stored === counted && stored === of_actors ? { outcome: last } : { violation: JSON.stringify(rows[0]) }
    }
  },
}
