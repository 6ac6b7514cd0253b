import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { storageKey } from '#platform/storage'
import { waitForValue } from '#testing'
import { quarantined } from '../file-routes.fixture.ts'
import { startFilesApp } from '../files.fixture.ts'
import { pdf } from '../formats/sample-files.fixture.ts'
import { scanFileHandler } from '../index.ts'
import { startClamd, virus } from './clamd.stand-in.ts'
import { createFileScanner } from './scanner.ts'

const clamd = await startClamd({ maxBytes: 3_000_000 })
const { acme, call, upload, fileUrl, storedKeys, owner, db, services, startTestWorker } = await startFilesApp({
  CLAMD_URL: clamd.url,
})
const infectedPdf = Buffer.concat([pdf.subarray(0, 9), Buffer.from(`%${virus}\n`), pdf])
const { run, onDeadLetter } = scanFileHandler(services.files.context)
const jobContext = {
  tenantId: acme.id,
  attempt: 1,
  signal: new AbortController().signal,
  inTenant: <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work),
  inTenantAsSystem: () => Promise.reject(new Error('unused')),
  requeue: () => Promise.reject(new Error('There is no job.')),
  detach: () => {},
  isPaused: async () => false,
  log: { info: () => {}, warn: () => {}, error: () => {} },
}
const statusOf = async (id: string) =>
  (await owner.query('select scan_status, scan_signature, storage_area from platform.files where id = $1', [id]))
    .rows[0]
const publicUrl = (id: string) => `/api/enablement/content/test-public/${id}/file`

const { body: pending } = await upload({ content: pdf })
const { body: infected } = await upload({ content: infectedPdf })

test('a file is not served before its scan', async () => {
  const { status, body, headers } = await call('GET', fileUrl(pending.id))

  assert.deepEqual(pending.scan, { status: 'pending', engine: 'clamd' })
  assert.deepEqual([status, body.code, headers['retry-after']], [409, 'scan_pending', '5'])
  assert.equal((await call('GET', publicUrl(pending.id))).status, 404)
})

test('a file that is restored is scanned, because its scan did nothing while it was deleted', async () => {
  const { body: file } = await upload({ content: pdf })
  const jobsOfFile = (verb: string) => owner.query(`${verb} from pgboss.job where data::text like $1`, [`%${file.id}%`])
  const url = `/api/enablement/content/test/${file.id}`

  await call('DELETE', `${url}/file`)
  await run(jobContext, { file_id: file.id } as never)
  await jobsOfFile('delete')
  const restored = await call('POST', `${url}/restore`)

  assert.deepEqual([restored.status, restored.body.scan.status], [200, 'pending'])
  assert.equal((await jobsOfFile('select 1')).rowCount, 1)
  await call('DELETE', `${url}/file`)
  await services.storage.delete(storageKey(acme.id, 'files', file.id))
})

test('the worker scans new files; clean ones are served, infected ones are quarantined', async () => {
  await startTestWorker()
  const isScanned = (row: { scan_status: string }) => row.scan_status !== 'pending'
  const clean = await waitForValue(() => statusOf(pending.id), isScanned)
  const found = await waitForValue(() => statusOf(infected.id), isScanned)

  assert.equal(clean.scan_status, 'clean')
  assert.deepEqual((await call('GET', fileUrl(pending.id))).bytes, pdf)
  assert.deepEqual(found, {
    scan_status: 'infected',
    scan_signature: 'Eicar-Test-Signature',
    storage_area: 'quarantine',
  })
  const { status, body } = await call('GET', fileUrl(infected.id))
  assert.deepEqual([status, body.code], [409, 'file_quarantined'])
  assert.equal((await call('GET', publicUrl(infected.id))).status, 404)
  await waitForValue(storedKeys, (keys) => keys.length === 2)
  assert.deepEqual(
    (await storedKeys()).map((key) => key.split('/').slice(1).join('/')),
    [`files/${pending.id}`, `quarantine/${infected.id}`],
  )
  assert.deepEqual(quarantined, [infected.id])
  assert.ok(clamd.scanned.includes(pdf.length) && clamd.scanned.includes(infectedPdf.length))
  const { rows } = await owner.query(`select resource_id from platform.audit_log where action = 'file.quarantined'`)
  assert.deepEqual(rows, [{ resource_id: infected.id }])
})

test('a repeated scan job changes nothing', async () => {
  const before = [await statusOf(infected.id), await storedKeys(), quarantined.length]

  await run(jobContext, { file_id: infected.id } as never)

  assert.deepEqual([await statusOf(infected.id), await storedKeys(), quarantined.length], before)
})

test('the scanner reports size limits, unknown replies and lost connections as errors', async () => {
  const scan = (url: string, content: Buffer) => createFileScanner({ CLAMD_URL: url })!.scan(Readable.from([content]))
  const stopped = await startClamd()
  stopped.stop()

  assert.deepEqual(await scan(clamd.url, Buffer.alloc(2_500_000)), { isClean: true })
  await assert.rejects(scan(clamd.url, Buffer.alloc(9_000_000)), /size limit exceeded|EPIPE|ECONNRESET/)
  await assert.rejects(scan(stopped.url, pdf), /ECONNREFUSED/)
  assert.throws(() => createFileScanner({ CLAMD_URL: 'http://127.0.0.1:1' }), /CLAMD_URL must be/)
  assert.equal(createFileScanner({ CLAMD_URL: undefined }), null)
})

test('a file whose scan has failed for the last time stays locked', async () => {
  const { body } = await upload({ content: pdf })
  await waitForValue(
    () => statusOf(body.id),
    ({ scan_status }) => scan_status === 'clean',
  )
  await owner.query(`update platform.files set scan_status = 'pending' where id = $1`, [body.id])

  await onDeadLetter!(jobContext, { file_id: body.id } as never)

  assert.equal((await statusOf(body.id)).scan_status, 'failed')
  assert.equal((await call('GET', fileUrl(body.id))).body.code, 'file_quarantined')
})
