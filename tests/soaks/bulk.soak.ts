import { isDeepStrictEqual } from 'node:util'
import { startWorkerProcess } from '#testing'
import { addLeads, type Change, expectedResult, leadsAfterwards, violationsIn } from './bulk-leads.ts'
import { followTask } from './followed-task.ts'
import { meddle } from './meddling.ts'
import { allRelayed, missAtOnce } from './queues.ts'
import type { Acme, Run, Soak, World } from './soak.ts'

type Circumstances = { kills: number; isMeddledWith?: boolean; change(acme: Acme): Change }

const toWorking = (): Change => ({
  ...{ action: 'set_status', params: { status: 'working' }, field: 'status', value: 'working' },
  ...{ fact: 'lead.status_changed', activity: 'status_changed' },
})

const toManager = ({ manager: { userId } }: Acme): Change => ({
  ...{ action: 'assign', params: { owner_id: userId }, field: 'owner_id', value: userId },
  ...{ fact: 'lead.assigned', activity: 'owner_changed' },
})

const many = 100_000
const few = 3_000

/** Many leads by filter: whatever happens to the workers and to single leads, each is changed and told of once. */
const bulkSoak = (name: string, circumstances: Circumstances, short?: number): Soak => ({
  ...{ name, few: short, many },
  run: (world, run) => soakBulk(world, run, circumstances),
})

export const bulkKilledOnce = bulkSoak('bulk, its worker killed', { kills: 1, change: toWorking })
export const bulkKilledTwice = bulkSoak('bulk, two workers killed', { kills: 2, change: toManager }, few)
export const bulkWhileLeadsChange = bulkSoak(
  'bulk while leads change',
  { kills: 1, isMeddledWith: true, change: toWorking },
  few,
)

async function soakBulk(
  world: World,
  { size, isShort, tell }: Run,
  { kills, isMeddledWith, change: changeIn }: Circumstances,
) {
  const [acme, other] = [await world.tenant(), await world.tenant()]
  const change = changeIn(acme)
  await addLeads(acme, { meant: size, others: size / 10 })
  await addLeads(other, { meant: size / 100, others: 0 })
  let worker = await startWorkerProcess(world.config)

  const ordered = performance.now()
  const answer = await acme.member.post('/api/leads/bulk', {
    ...{ action: change.action, params: change.params },
    ...{ filter: { source: ['meant'], status: ['new'] }, expected_count: size },
  })
  if (!answer.body.task_id) return [answer.text]
  tell(`${size} leads ordered in ${Math.round(performance.now() - ordered)} ms`)
  const task = followTask(acme, answer.body)
  const meddling = isMeddledWith ? meddle(acme, task, size / 100) : undefined
  for (let kill = 1; kill <= kills; kill++) {
    // Somewhere around half-way, or the thirds. What the worker is about then, nobody can say.
    await task.until((size * (kill + Math.random() * 0.4 - 0.2)) / (kills + 1))
    await worker.kill()
    task.lose()
    if (isShort) await missAtOnce(acme)
    worker = await startWorkerProcess(world.config)
  }
  const { body, violations, looks, seconds, idleSeconds } = await task.ended
  const { leads: meddled, refusals } = (await meddling) ?? { leads: new Map(), refusals: 0 }
  const unheard = await allRelayed(acme)
  await worker.kill()

  tell(`${seconds.toFixed(1)} s, ${idleSeconds.toFixed(1)} s of it until a dead worker was missed; ${looks} looks`)
  tell(`${Math.round(size / (seconds - idleSeconds))} leads a second`)
  const leads = await leadsAfterwards(acme, change, meddled)
  const strangers = await leadsAfterwards(other, change, new Map())
  const { failures, ...counts } = expectedResult(leads)
  tell(
    `${JSON.stringify(counts)}, ${meddled.size} changed by others meanwhile, who were told ${refusals} times to try again`,
  )
  const { failures: named, ...told } = body.result ?? {}
  const ids = Object.fromEntries((named ?? []).map((one: Failure) => [one.code, one.lead_ids]))
  const areNamed = Object.entries(failures).every(([code, some]) =>
    isDeepStrictEqual(some.sort(), (ids[code] ?? []).sort()),
  )
  return [
    ...violations,
    ...(unheard ? [`${unheard} events were not passed on`] : []),
    ...(body.state === 'succeeded' && body.progress.done === size ? [] : [`ended as ${JSON.stringify(body)}`]),
    ...(isDeepStrictEqual(told, { action: change.action, ...counts }) ? [] : [`told as ${JSON.stringify(told)}`]),
    ...(areNamed ? [] : ['other leads are named as failures than have failed']),
    ...violationsIn(leads),
    ...strangers.filter(({ version }) => version !== 1).map(({ id }) => `${id} of another workspace was changed`),
  ]
}

type Failure = { code: string; lead_ids: string[] }
