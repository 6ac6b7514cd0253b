// Measures how long the schedules of one worker take to reach the workspaces with work among many, and what they cost when nothing is due.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type pg from 'pg'
import { newId } from '#platform/ids'
import { createJobQueue, runScheduleNow } from '#platform/jobs'
import { createTestDatabase, loadRows, migrateTemplate, openOwnerPool, startPostgres } from '#testing'
import { createSessionMeter, secondsOf } from '../tests/groups/processor-time.ts'
import { createEnvironment, startWorker } from './api.ts'
import { waitForWork, works, workspaceRows } from './schedules/work.ts'

const secondsAllowed = 60

export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: {
      workspaces: { type: 'string', default: '10000' },
      active: { type: 'string', default: '500' },
      idle: { type: 'string', default: '120' },
    },
  })
  const [workspaces, active, idle] = [Number(values.workspaces), Number(values.active), Number(values.idle)]
  const server = await startPostgres({ settings: ['shared_buffers=512MB', 'jit=off'] })
  await migrateTemplate(server.url)
  const database = await createTestDatabase(server.url)
  const owner = openOwnerPool(database.ownerUrl)
  owner.on('error', () => {})
  const jobQueue = createJobQueue({ systemUrl: database.systemUrl })
  const tenantIds = Array.from({ length: workspaces }, newId)
  await loadRows(owner, async (client) => {
    for (const text of workspaceRows) await client.query(text, [tenantIds])
  })
  const worker = await startWorker(createEnvironment(database))
  try {
    await jobQueue.start()
    console.log(`${active} of ${workspaces} workspaces have work for every schedule, one worker`)
    const chosen = tenantIds.filter((_, index) => index % Math.floor(workspaces / active) === 0).slice(0, active)
    const seconds = await measureWork(owner, chosen, (name) => runScheduleNow(jobQueue, name))
    await endOverlap(owner)
    await sleep(5_000)
    await printIdleCost({ idle, workerPid: worker.pid, serverPid: server.pid, database: database.name })
    console.log(`ratio: ${(Math.max(...seconds) / secondsAllowed).toFixed(2)}`)
  } finally {
    await worker.stop()
    await jobQueue.stop()
    await owner.end()
    await server.stop()
  }
}

/** Returns the seconds from the start of all schedules to the end of each. */
async function measureWork(owner: pg.Pool, tenantIds: string[], start: (schedule: string) => Promise<void>) {
  await withoutTriggers(owner, async (client) => {
    for (const { insert } of works) await client.query(insert, [tenantIds])
  })
  const startedAt = new Date()
  for (const { schedule } of works) await start(schedule)
  return await Promise.all(
    works.map(async (work) => {
      const seconds = await waitForWork(owner, work, tenantIds, startedAt)
      console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${work.schedule}`)
      return seconds
    }),
  )
}

/** Views and visits of the last two minutes are folded again, which is not idle. */
const endOverlap = (owner: pg.Pool) =>
  withoutTriggers(owner, async (client) => {
    for (const table of ['content_views', 'room_visits'])
      await client.query(`update enablement.${table} set updated_at = updated_at - interval '1 hour'`)
  })

async function withoutTriggers(owner: pg.Pool, work: (client: pg.ClientBase) => Promise<void>): Promise<void> {
  const client = await owner.connect()
  await client.query('begin; set local session_replication_role = replica')
  await work(client)
  await client.query('commit')
  client.release()
}

type IdleOptions = { idle: number; workerPid: number; serverPid: number; database: string }

async function printIdleCost({ idle, workerPid, serverPid, database }: IdleOptions): Promise<void> {
  const sessions = createSessionMeter(serverPid, (name) => name === database)
  const before = { worker: secondsOf(workerPid), sessions: sessions.read() }
  for (let second = 0; second < idle; second++) {
    await sleep(1_000)
    sessions.read()
  }
  const percent = (seconds: number) => `${((seconds / idle) * 100).toFixed(1)} %`
  const [worker, backends] = [secondsOf(workerPid) - before.worker, sessions.read() - before.sessions]
  console.log(`processor time of ${idle} s without work, of one core:`)
  console.log(`  ${percent(worker)} worker, ${percent(backends)} sessions of PostgreSQL`)
}
