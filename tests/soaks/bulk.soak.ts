import { isDeepStrictEqual } from 'node:util'
import { startWorkerProcess, waitForBlockedSessions } from '#testing'
import { addLeads, type BulkChange, expectedResult, findViolations, lockLead, readLeadStates } from './bulk-leads.ts'
import { editConcurrently } from './concurrent-edits.ts'
import { requeueActiveJobs, waitForPublishedEvents } from './queues.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'
import { startTaskMonitor } from './task-monitor.ts'

type BulkSoakOptions = { kills: number; hasEdits?: boolean; change(acme: TestWorkspace): BulkChange }

const setStatus = (): BulkChange => ({
  action: 'set_status',
  params: { status: 'working' },
  field: 'status',
  value: 'working',
  eventType: 'lead.status_changed',
  activity: 'status_changed',
})

const assignToManager = ({ manager: { userId } }: TestWorkspace): BulkChange => ({
  action: 'assign',
  params: { owner_id: userId },
  field: 'owner_id',
  value: userId,
  eventType: 'lead.assigned',
  activity: 'owner_changed',
})

/** Bulk update by filter: every lead must be updated and recorded exactly once, despite killed workers and edits. */
const bulkSoak = (name: string, bulkOptions: BulkSoakOptions, test?: number): Soak => ({
  name,
  sizes: { test, nightly: 10_000, full: 100_000 },
  run: (app, options) => runBulkSoak(app, options, bulkOptions),
})

export const bulkKilledOnce = bulkSoak('bulk update with one killed worker', { kills: 1, change: setStatus }, 400)
export const bulkKilledTwice = bulkSoak('bulk update with two killed workers', { kills: 2, change: assignToManager })
export const bulkWithEdits = bulkSoak('bulk update with concurrent edits', {
  kills: 1,
  hasEdits: true,
  change: setStatus,
})

async function runBulkSoak(
  app: TestApp,
  { size, isShort, report }: SoakOptions,
  { kills, hasEdits, change: createChange }: BulkSoakOptions,
) {
  const [acme, other] = [await app.tenant(), await app.tenant()]
  const change = createChange(acme)
  await addLeads(acme, { matching: size, others: size / 10 })
  await addLeads(other, { matching: size / 100, others: 0 })
  let worker: Pick<Awaited<ReturnType<typeof startWorkerProcess>>, 'kill'> = await startWorkerProcess(app.config)
  const lock = isShort ? await lockLead(app, acme, { source: 'matching', position: size / 2 }) : undefined

  const requestedAt = performance.now()
  const response = await acme.member.post('/api/leads/bulk', {
    action: change.action,
    params: change.params,
    query: { source: ['matching'], status: ['new'] },
    expected_count: size,
  })
  if (!response.body.task_id) return [response.text]
  report(`task for ${size} leads created in ${Math.round(performance.now() - requestedAt)} ms`)
  const task = startTaskMonitor(acme, response.body)
  const pendingEdits = hasEdits ? editConcurrently(acme, task, size / 100) : undefined
  for (let kill = 1; kill <= kills; kill++) {
    // At a random point around the half or the thirds, so that the worker is killed in any state.
    await task.waitForProgress(lock ? 1 : (size * (kill + Math.random() * 0.4 - 0.2)) / (kills + 1))
    if (lock) await waitForBlockedSessions(app.owner, 1)
    await worker.kill()
    task.noteWorkerLoss()
    await lock?.release()
    if (isShort) await requeueActiveJobs(acme)
    worker = isShort ? await startOwnWorker(app) : await startWorkerProcess(app.config)
  }
  const { body, violations, polls, seconds, idleSeconds } = await task.ended
  const { editByLead, retries } = (await pendingEdits) ?? { editByLead: new Map(), retries: 0 }
  const unpublished = await waitForPublishedEvents(acme)
  await worker.kill()

  report(
    `${seconds.toFixed(1)} s, of which ${idleSeconds.toFixed(1)} s until killed workers were replaced; ${polls} polls`,
  )
  report(`${Math.round(size / (seconds - idleSeconds))} leads per second`)
  const leads = await readLeadStates(acme, change, editByLead)
  const otherLeads = await readLeadStates(other, change, new Map())
  const { failures: expectedFailures, ...expectedCounts } = expectedResult(leads)
  report(`${JSON.stringify(expectedCounts)}, ${editByLead.size} concurrent edits with ${retries} retries`)
  const { failures = [], ...counts } = body.result ?? {}
  const failedIds = Object.fromEntries(failures.map(({ code, lead_ids }: Failure) => [code, lead_ids]))
  const hasExpectedFailures = Object.entries(expectedFailures).every(([code, ids]) =>
    isDeepStrictEqual(ids.sort(), (failedIds[code] ?? []).sort()),
  )
  const hasExpectedCounts = isDeepStrictEqual(counts, { action: change.action, ...expectedCounts })
  return [
    ...violations,
    ...(unpublished ? [`${unpublished} events were not published`] : []),
    ...(body.state === 'succeeded' && body.progress.done === size ? [] : [`unexpected end: ${JSON.stringify(body)}`]),
    ...(hasExpectedCounts ? [] : [`unexpected result: ${JSON.stringify(counts)}`]),
    ...(hasExpectedFailures ? [] : ['the reported failures do not match the failed leads']),
    ...findViolations(leads),
    ...otherLeads.filter(({ version }) => version !== 1).map(({ id }) => `${id} of another workspace was changed`),
  ]
}

/** Starts a worker in this process, because only the first one must be killed. */
async function startOwnWorker(app: TestApp) {
  const { stop } = await app.startTestWorker()
  return { kill: stop }
}

type Failure = { code: string; lead_ids: string[] }
