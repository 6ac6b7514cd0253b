import { systemActor } from '#platform/access'
import { enterTenant, inSystem, inTenant, type TenantTx } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import type { startTestApp } from '#testing'
import { dispatchEmails } from '../../src/modules/email/messages/dispatch-job.ts'
import { runCadences } from '../../src/modules/marketing/cadences/cadence-sending/run-cadences.jobs.ts'
import { modules } from '../../src/modules.ts'
import { listEventsById } from '../../src/platform/outbox/list-events.ts'
import type { ScriptedMailServer } from './mail-server.ts'

export type TestApp = Awaited<ReturnType<typeof startTestApp>>
export type Workspace = Awaited<ReturnType<TestApp['tenant']>>

const maxRounds = 10
/** Other consumers and jobs concern neither persons nor emails. */
const isOfOutreach = (name: string) => name.startsWith('marketing.') || name === 'people.erase'
const log = { info() {}, warn() {}, error() {} }

/** Does what a worker does for one workspace, one thing after another, so that a history with a seed can be repeated. */
export function createBackground(
  app: TestApp,
  { id }: Pick<Workspace, 'id'>,
  server: Pick<ScriptedMailServer, 'startWorker' | 'isExpected'>,
) {
  const { db, systemDb, owner, services } = app
  const inWorkspace = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(id), work)
  const consumers = modules
    .flatMap(({ subscriptions = [] }) => subscriptions)
    .filter(({ isInTransaction, consumer }) => !isInTransaction && isOfOutreach(consumer))
  const handlers = new Map(
    modules.flatMap((module) => module.jobs?.(services) ?? []).map((handler) => [handler.job.name, handler]),
  )
  const context: JobContext = {
    tenantId: id,
    inTenant: inWorkspace,
    inTenantAsSystem: (work) => inSystem(systemDb, async (tx) => work(await enterTenant(tx, systemActor(id)))),
    signal: new AbortController().signal,
    attempt: 1,
    requeue: () => Promise.reject(new Error('No job of a history is requeued.')),
    detach: () => {},
    isPaused: () => Promise.resolve(false),
    log,
  }

  async function deliverEvents(): Promise<number> {
    const types = consumers.flatMap((consumer) => [...consumer.types])
    const { rows } = await owner.query(
      `update platform.outbox_events set published_at = now()
       where tenant_id = $1 and published_at is null returning id, type`,
      [id],
    )
    const ids = rows.filter(({ type }) => types.includes(type)).map((row) => row.id as string)
    if (!ids.length) return 0
    for (const event of await inWorkspace((tx) => listEventsById(tx, ids)))
      for (const { types: consumed, handle } of consumers)
        if (consumed.has(event.type)) await inWorkspace((tx) => handle(tx, event as never))
    return ids.length
  }

  async function runJobs(): Promise<number> {
    const { rows } = await owner.query(
      `delete from pgboss.job where group_id = $1 and state in ('created', 'retry') returning data`,
      [id],
    )
    const jobs = rows
      .map(({ data }) => data as { job: string; payload: unknown })
      .filter(({ job }) => isOfOutreach(job))
    for (const { job, payload } of jobs) await handlers.get(job)!.run(context, payload as never)
    return jobs.length
  }

  async function settle(): Promise<void> {
    for (let round = 0; round < maxRounds; round++) if (!(await deliverEvents()) && !(await runJobs())) return
    throw new Error('Events and jobs do not end.')
  }

  /** A dispatcher ends with an error if the mail server is down, and without any result if its worker is killed. */
  async function dispatch(): Promise<void> {
    const killed = server.startWorker()
    const run = handlers.get(dispatchEmails.name)!.run(context, {} as never)
    await Promise.race([run, killed]).catch((error: Error) => {
      if (!server.isExpected(error)) throw error
    })
  }

  return {
    inWorkspace,
    settle,
    /** Sends what is due. Emails can wait in the queue before they leave, as they do if a worker is busy. */
    async sendDue(secondsInQueue = 0): Promise<void> {
      await settle()
      await runCadences(services, context)
      app.clock.advance(secondsInQueue)
      await dispatch()
      await settle()
    },
  }
}

export type Background = ReturnType<typeof createBackground>
