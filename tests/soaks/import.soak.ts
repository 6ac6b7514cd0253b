import { readFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { loadRows, programPath, startWorkerProcess } from '#testing'
import { createImportClient } from '../../src/modules/crm/exchange/imports/imports.fixture.ts'
import { lockLead } from './bulk-leads.ts'
import { copyRows } from './copy-rows.ts'
import { killWorkers } from './kill-workers.ts'
import { startMailServer } from './mail-server.ts'
import { measurePasswordReset } from './password-reset.ts'
import type { Soak, SoakOptions, TestApp, TestWorkspace } from './soak.ts'
import { startTaskMonitor } from './task-monitor.ts'

/** Imports a file while its workers are killed: exact counts, no record twice, and the worker needs little memory. */
export const importWithKills: Soak = {
  name: 'import with killed workers',
  sizes: { test: 500, nightly: 20_000, full: 200_000 },
  run: runImportSoak,
}

/** More than a worker uses at rest. */
const maxMiB = 200
const known = 100
const failing = 50

/** As in production, with a heap that ends the worker if it keeps rows. Without it, the garbage collector starts late. */
const limitedWorker = ['--max-semi-space-size=8', '--max-old-space-size=192', programPath('src/main.ts'), 'work']

const insertLeads = `
  insert into crm.leads (tenant_id, id, last_name, email, source, search_text, created_at, created_on)
  select $1, gen_random_uuid(), 'Known', 'p' || n || '@import.example', 'import', ' known', now(), current_date
  from generate_series(1, $2::integer) n`

async function runImportSoak(app: TestApp, { size, isShort, report }: SoakOptions): Promise<string[]> {
  const kills = isShort ? 1 : 2
  const [acme, other] = [await app.tenant(), await app.tenant()]
  const { prepare } = createImportClient(app)
  // Without rows, foreign keys to leads would be checked by plans for an empty table, because the test server has no autovacuum.
  await loadRows(app.owner, (client) => client.query(insertLeads, [other.id, isShort ? 2_000 : 20_000]))
  await acme.sql(insertLeads, [acme.id, known])
  const lines = Array.from({ length: size }, (_, index) => toLine(index + 1, size))
  const copied = await copyRows(app, lines)
  const uploadedAt = performance.now()
  const id = await prepare(acme, `email,last_name,company,city\n${lines.join('\n')}\n`)
  const uploadSeconds = (performance.now() - uploadedAt) / 1_000
  const smtp = await startMailServer('import.example')
  const startWorker = () => startWorkerProcess({ ...app.config, SMTP_URL: smtp.url }, limitedWorker)
  const first = await startWorker()
  const lock = isShort ? await lockLead(app, acme, { source: 'import', position: known / 2 }) : undefined
  const memory = await startMemoryMonitor(first)

  const started = await acme.member.post(`/api/leads/imports/${id}/run`, { dry_run: false })
  if (started.status !== 202) return [started.text]
  const task = startTaskMonitor(acme, started.body)
  const worker = await killWorkers(app, acme, task, first, {
    startWorker,
    size,
    kills,
    isShort,
    lock,
    onStarted: memory.watch,
  })
  const resetSeconds = await measurePasswordReset(other, smtp, 60)
  const { body, violations, seconds, idleSeconds } = await task.ended
  const { atRest, peak } = memory.stop()
  await worker.kill()
  await smtp.stop()

  const rate = size / (seconds - idleSeconds)
  report(
    `${size} rows in ${seconds.toFixed(1)} s, of which ${idleSeconds.toFixed(1)} s until killed workers were replaced: ` +
      `${rate.toFixed(0)} rows a second, ${(copied / rate).toFixed(0)} times less than a bare COPY; uploaded in ${uploadSeconds.toFixed(1)} s; ` +
      `worker at most ${peak.toFixed(0)} MiB, at rest ${atRest.toFixed(0)} MiB; ` +
      `a password reset of another workspace took ${resetSeconds?.toFixed(2)} s`,
  )
  const expected = {
    import_id: id,
    created: size - known - failing,
    updated: known,
    skipped: 0,
    failed: failing,
    warnings: 0,
  }
  const counts = await readCounts(acme, id)
  const people = size - failing
  const exact = { leads: people, addresses: people, outcomes: size, events: people - known, audited: people - known }
  return [
    ...violations,
    ...(body.state === 'succeeded' ? [] : [`unexpected end: ${JSON.stringify(body)}`]),
    ...(isDeepStrictEqual(body.result, expected) ? [] : [`unexpected result: ${JSON.stringify(body.result)}`]),
    ...(isDeepStrictEqual(counts, exact) ? [] : [`unexpected counts: ${JSON.stringify(counts)}`]),
    ...(resetSeconds === undefined ? ['the email of a password reset did not arrive within a minute'] : []),
    ...(peak - atRest < maxMiB ? [] : [`the worker used ${peak} MiB, ${atRest} MiB at rest`]),
  ]
}

/** The last rows have no valid address. */
const toLine = (n: number, size: number) =>
  `${n > size - failing ? 'wrong' : `p${n}@import.example`},Person ${n},Company ${n % 500},Berlin`

async function readCounts(acme: TestWorkspace, importId: string) {
  const { rows } = await acme.sql(
    `select count(*)::int as leads, count(distinct email_key)::int as addresses,
       (select count(*)::int from crm.import_rows where import_id = $2 and outcome is not null) as outcomes,
       (select count(*)::int from platform.outbox_events where tenant_id = $1 and type = 'lead.created') as events,
       (select count(*)::int from platform.audit_log where tenant_id = $1 and action = 'lead.created') as audited
     from crm.leads where tenant_id = $1`,
    [acme.id, importId],
  )
  return rows[0]
}

type Process = { pid: number }

/** Reads the memory of a process ten times a second; `watch` changes the process. */
async function startMemoryMonitor(first: Process) {
  let { pid } = first
  const atRest = await memoryOf(pid)
  let peak = atRest
  const measure = async () => {
    peak = Math.max(peak, await memoryOf(pid))
  }
  const sampling = setInterval(() => void measure(), 100)
  return {
    watch(next: Process): void {
      pid = next.pid
    },
    stop() {
      clearInterval(sampling)
      return { atRest, peak }
    },
  }
}

/** Returns MiB, 0 for a killed process. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024
}
