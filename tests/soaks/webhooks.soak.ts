import { setTimeout as sleep } from 'node:timers/promises'
import { startWorkerProcess } from '#testing'
import { requeueActiveJobs } from './queues.ts'
import type { Soak, SoakOptions, TestApp } from './soak.ts'
import {
  createEndpoints,
  type Endpoint,
  emitEvents,
  endLeases,
  isLive,
  readEvents,
  waitForDeliveries,
} from './webhook-endpoints.ts'
import { type ReceiverKind, type Receivers, startWebhookReceivers } from './webhook-receivers.ts'

/** Endpoints of each workspace: 20, of which two are dead, three slow and one fails now and then. */
const receiversByWorkspace: ReceiverKind[][] = [
  ['refusing', 'slow', 'healthy', 'healthy', 'healthy'],
  ['silent', 'slow', 'healthy', 'healthy', 'healthy'],
  ['flapping', 'slow', 'healthy', 'healthy', 'healthy'],
  ['healthy', 'healthy', 'healthy', 'healthy', 'healthy'],
]

const fullSize = 10_000

/** Events to 20 endpoints while workers are killed: live endpoints get every event, and none is sent again once recorded. */
export const webhooksWithKills: Soak = {
  name: 'webhooks with killed workers',
  sizes: { nightly: 2_000, full: fullSize },
  run: runWebhookSoak,
}

async function runWebhookSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const receivers = await startWebhookReceivers()
  const endpoints: Endpoint[] = []
  for (const kinds of receiversByWorkspace) endpoints.push(...(await createEndpoints(app, receivers, kinds)))
  const live = endpoints.filter(isLive)
  const workspaces = [...new Set(endpoints.map(({ acme }) => acme))]
  const startWorker = () => startWorkerProcess({ ...app.config, SAFE_FETCH_ALLOW_PRIVATE: true })
  let worker = await startWorker()
  const started = performance.now()

  const undisturbed = Math.floor(size / 4)
  await emitEvents(app, workspaces, undisturbed, isShort ? 250 : 50)
  await waitForDeliveries(app, live)
  const delays = await readDelays(live, receivers)

  const kills = isShort ? 2 : 15
  const [before, expected] = [countArrivals(live, receivers), ((size - undisturbed) * live.length) / workspaces.length]
  const emitting = emitEvents(app, workspaces, size - undisturbed, isShort ? 1_000 : 100)
  for (let kill = 1; kill <= kills; kill++) {
    const target = before + (expected * (kill - Math.random() * 0.8)) / (kills + 1)
    while (countArrivals(live, receivers) < target) await sleep(5)
    await worker.kill()
    await requeueActiveJobs(workspaces[0]!)
    await endLeases(endpoints[0]!)
    worker = await startWorker()
  }
  await emitting
  await waitForDeliveries(app, live)
  const seconds = (performance.now() - started) / 1_000
  await worker.kill()
  const violations = (await Promise.all(live.map((endpoint) => findViolations(endpoint, receivers)))).flat()
  const requests = countArrivals(live, receivers)
  await receivers.stop()

  const p95 = delays.sort((one, other) => one - other)[Math.floor(delays.length * 0.95)]!
  report(
    `${size} events, ${requests} requests to ${live.length} live endpoints, ${kills} kills, ${seconds.toFixed(1)} s; ` +
      `p95 delay of healthy endpoints without kills ${p95} ms`,
  )
  return [
    ...violations,
    ...(size < fullSize || p95 < 2_000 ? [] : [`the p95 delay of healthy endpoints was ${p95} ms`]),
  ]
}

const countArrivals = (endpoints: readonly Endpoint[], receivers: Receivers): number =>
  endpoints.reduce((sum, { name }) => sum + receivers.arrivalsOf(name).length, 0)

async function readDelays(endpoints: readonly Endpoint[], receivers: Receivers): Promise<number[]> {
  const delays: number[] = []
  for (const endpoint of endpoints.filter(({ kind }) => kind === 'healthy')) {
    const arrivedAt = new Map(receivers.arrivalsOf(endpoint.name).map(({ eventId, at }) => [eventId, at]))
    for (const { id, occurred_at } of await readEvents(endpoint))
      delays.push(arrivedAt.get(id)! - occurred_at.getTime())
  }
  return delays
}

async function findViolations(endpoint: Endpoint, receivers: Receivers): Promise<string[]> {
  const arrivals = Map.groupBy(receivers.arrivalsOf(endpoint.name), ({ eventId }) => eventId)
  return (await readEvents(endpoint)).flatMap(({ id, finished_at }) => {
    const ofEvent = arrivals.get(id) ?? []
    if (!ofEvent.some(({ isAccepted }) => isAccepted))
      return [`event ${id} did not arrive at a ${endpoint.kind} endpoint`]
    const isRepeated = ofEvent.some(({ at }) => at > finished_at.getTime())
    return isRepeated ? [`event ${id} was sent again to a ${endpoint.kind} endpoint after it was recorded`] : []
  })
}
