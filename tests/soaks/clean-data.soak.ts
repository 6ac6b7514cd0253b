import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform/ids'
import { storageKey } from '#platform/storage'
import { startWorkerProcess } from '#testing'
import { clean, createRowCounter } from '../../src/modules/operations/clean-data/clean-data.fixture.ts'
import { addLeads } from './bulk-leads.ts'
import { requeueActiveJobs } from './queues.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'

const killsPerWorkspace = 2
const files = 3

/** Workers are killed at random moments while they delete all data of workspaces: every deletion must end complete. */
export const cleanDataWithKills: Soak = {
  name: 'clean-data with killed workers',
  sizes: { nightly: 2_000, full: 20_000 },
  run: runCleanDataSoak,
}

async function runCleanDataSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const wanted = isShort ? 2 : 10
  const violations: string[] = []
  const points: string[] = []
  let worker = await startWorkerProcess(app.config)
  const killWorker = () => worker.kill()
  const restartWorker = async (acme: TestWorkspace) => {
    await requeueActiveJobs(acme)
    worker = await startWorkerProcess(app.config)
  }
  const unharmed = isShort ? undefined : await cleanWorkspace(app, size)
  violations.push(...((await unharmed?.findViolations()) ?? []))
  const withinMs = unharmed?.ms ?? 300
  // A kill can come too late on a busy machine, and then another workspace is needed.
  for (let attempt = 1; points.length < wanted && attempt <= wanted * 3; attempt++) {
    const kills = Math.min(killsPerWorkspace, wanted - points.length)
    const killed = await cleanWorkspace(app, size, { kills, withinMs, killWorker, restartWorker })
    points.push(...killed.points)
    violations.push(...(await killed.findViolations()))
  }
  await worker.kill()
  report(`${unharmed ? `${unharmed.ms} ms without a kill; ` : ''}${points.length} kills: ${points.join(', ')}`)
  return [...violations, ...(points.length < wanted ? [`only ${points.length} kills were in time`] : [])]
}

type Kills = {
  kills: number
  withinMs: number
  killWorker(): Promise<void>
  restartWorker(acme: TestWorkspace): Promise<void>
}

async function cleanWorkspace(app: TestApp, size: number, killing?: Kills) {
  const acme = await app.tenant()
  await addLeads(acme, { matching: size, others: 0 })
  await addFiles(app, acme)
  const { countRows, tablesOf, readMaintenance } = createRowCounter(app)
  const before = await countRows(acme)
  const { body: started } = await clean(acme)
  const points: string[] = []
  const startedAt = performance.now()
  for (let kill = 1, run = ''; killing && kill <= killing.kills; kill++) {
    run = await waitForRun(acme, started.task_id, run)
    await sleep((Math.random() * killing.withinMs) / kill)
    await killing.killWorker()
    const { body: task } = await acme.admin.get(started.status_url)
    if (!task.finished_at) points.push(await describePoint(acme, started.task_id))
    await killing.restartWorker(acme)
    if (task.finished_at) break
  }
  const task = await waitForEnd(acme, started.status_url)
  const ms = Math.round(performance.now() - startedAt)

  async function findViolations(): Promise<string[]> {
    const after = await countRows(acme)
    const kept = ['identity.users', 'identity.sessions', ...tablesOf('configuration')]
    const left = tablesOf('business').filter((table) => after[table])
    const { rows: backups } = await acme.sql('select state from operations.backups where tenant_id = $1', [acme.id])
    const stored = await Array.fromAsync(app.services.storage.list(`${acme.id}/`), ({ key }) => key)
    const backup = storageKey(acme.id, 'backups', started.backup_id)
    const cleaned = (await acme.audit()).filter((action: string) => action === 'tenant.data_cleaned')
    const expected = (isTrue: boolean, violation: string) => (isTrue ? [] : [`${violation} after ${points}`])
    return [
      ...expected(task.state === 'succeeded', `the task ended as ${JSON.stringify(task)}`),
      ...expected(!left.length, `rows are left in ${left}`),
      ...expected(task.result?.tables['crm.leads'] === size, `counted ${task.result?.tables['crm.leads']} leads`),
      ...expected(task.result?.files === files, `counted ${task.result?.files} files`),
      ...expected(
        task.progress.done > size && task.progress.done === task.progress.total,
        'the progress is incomplete',
      ),
      ...kept.flatMap((table) => expected(after[table] === before[table], `${table} has lost rows`)),
      ...expected(after['platform.audit_log']! > before['platform.audit_log']!, 'audit entries are missing'),
      ...expected(cleaned.length === 1, `${cleaned.length} audit entries about the end`),
      ...expected((await readMaintenance(acme)) === null, 'the workspace is still in maintenance'),
      ...expected(backups.length === 1 && backups[0].state === 'succeeded', `backups: ${JSON.stringify(backups)}`),
      ...expected(stored.length === 1 && stored[0] === backup, `stored: ${stored}`),
    ]
  }
  return { ms, points, findViolations }
}

async function addFiles({ services: { storage } }: TestApp, { id, sql }: TestWorkspace): Promise<void> {
  for (let n = 0; n < files; n++) {
    const fileId = newId()
    await storage.put(storageKey(id, 'files', fileId), Buffer.from('content'))
    await sql(
      `insert into platform.files (tenant_id, id, purpose, filename, media_type, size_bytes, sha256, scan_status, scan_engine)
       values ($1, $2, 'content', 'a.txt', 'text/plain', 7, sha256('content'), 'skipped', 'none')`,
      [id, fileId],
    )
  }
}

/** Waits until a worker has claimed the task, and returns the id of its run. */
async function waitForRun({ sql }: TestWorkspace, taskId: string, last: string): Promise<string> {
  for (;;) {
    const { rows } = await sql('select run_id, finished_at from platform.background_tasks where id = $1', [taskId])
    const { run_id: run, finished_at } = rows[0]
    if (finished_at || (run && run !== last)) return run
    await sleep(2)
  }
}

async function describePoint({ sql }: TestWorkspace, taskId: string): Promise<string> {
  const { rows } = await sql(
    `select b.state, (select sum(value::integer) from jsonb_each_text(t.checkpoint -> 'tables')) as rows
     from platform.background_tasks t join operations.backups b using (tenant_id) where t.id = $1`,
    [taskId],
  )
  return `backup ${rows[0].state} and ${rows[0].rows ?? 0} rows deleted`
}

async function waitForEnd({ admin }: TestWorkspace, url: string) {
  for (;;) {
    const { body } = await admin.get(url)
    if (body.finished_at) return body
    await sleep(20)
  }
}
