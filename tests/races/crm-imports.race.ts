import { setTimeout as sleep } from 'node:timers/promises'
import { waitForTask } from '#testing'
import { createImportClient } from '../../src/modules/crm/exchange/imports/imports.fixture.ts'
import { type Race, runConcurrently, type TestApp, type TestWorkspace } from './race.ts'

let emailCount = 0
const nextEmail = () => `import${++emailCount}@import${emailCount}.example`

/** Workers are shared by the races of an application. */
const workers = new WeakMap<TestApp, Promise<unknown>>()
async function startWorkerOnce(app: TestApp): Promise<void> {
  const worker = workers.get(app) ?? app.startTestWorker()
  workers.set(app, worker)
  await worker
}

async function prepareRace(app: TestApp) {
  await startWorkerOnce(app)
  return { acme: await app.tenant(), imports: createImportClient(app) }
}

/** A worker takes some time to begin with a task. */
const waitForWorker = () => sleep(Math.random() * 200)

const start = (acme: TestWorkspace, id: string) => acme.member.post(`/api/leads/imports/${id}/run`, { dry_run: false })
const stateOf = async (acme: TestWorkspace, id: string) => (await acme.member.get(`/api/leads/imports/${id}`)).body
const countLeads = async (acme: TestWorkspace, email: string): Promise<number> =>
  (
    await acme.sql(
      'select count(*)::int as count from crm.leads where tenant_id = $1 and email_key = $2 and deleted_at is null',
      [acme.id, email],
    )
  ).rows[0].count

/** Two runs at once import each row once. */
export const importRunTwice: Race = {
  name: 'crm-9 two runs of an import',
  async prepare(app) {
    const { acme, imports } = await prepareRace(app)
    return async () => {
      const email = nextEmail()
      const id = await imports.prepare(acme, `email\n${email}\n`)

      const runs = await runConcurrently(
        () => start(acme, id),
        () => start(acme, id),
      )

      const winner = runs.findIndex(({ status }) => status === 202)
      const statuses = runs.map(({ status }) => status).sort()
      if (String(statuses) !== '202,409') return { violation: `${statuses}` }
      await waitForTask(acme, runs[winner]!.body)
      const leads = await countLeads(acme, email)
      return leads === 1 ? { outcome: `run ${winner + 1}` } : { violation: `${leads} leads` }
    }
  },
}

/** A cancelled import has ended, and the leads are those of its rows. */
export const cancelAgainstBatch: Race = {
  name: 'crm-9 an import cancelled while it runs',
  async prepare(app) {
    const { acme, imports } = await prepareRace(app)
    return async () => {
      const email = nextEmail()
      const id = await imports.prepare(acme, `email\n${email}\n`)
      const { body: task } = await start(acme, id)

      await waitForWorker()
      const [cancelled] = await runConcurrently(() => acme.member.post(`/api/leads/imports/${id}/cancel`))

      await waitForTask(acme, task)
      const row = await stateOf(acme, id)
      const leads = await countLeads(acme, email)
      if (![200, 409].includes(cancelled.status)) return { violation: cancelled.text }
      if (row.created !== leads || !['completed', 'cancelled'].includes(row.state))
        return { violation: `${row.state}, ${row.created} created, ${leads} leads` }
      return { outcome: row.state }
    }
  },
}

/** A lead that is edited while its import is undone keeps the edit, or is deleted before. */
export const editAgainstUndo: Race = {
  name: 'crm-9 a lead edited while its import is undone',
  async prepare(app) {
    const { acme, imports } = await prepareRace(app)
    return async () => {
      const email = nextEmail()
      const { id } = await imports.importFile(acme, `email\n${email}\n`)
      const [row] = await imports.rowsOf(acme, id)
      const undo = await acme.member.post(`/api/leads/imports/${id}/undo`)

      await waitForWorker()
      const edited = await acme.member.patch(`/api/leads/${row!.record_id}`, { title: 'Edited' })
      await waitForTask(acme, undo.body)

      const leads = await countLeads(acme, email)
      const [after] = await imports.rowsOf(acme, id)
      const isKept = edited.status === 200 && leads === 1 && after!.outcome === 'kept'
      const isDeleted = edited.status === 404 && leads === 0 && after!.outcome === 'undone'
      if (!isKept && !isDeleted) return { violation: `${edited.status}, ${leads} leads, ${after!.outcome}` }
      return { outcome: isKept ? 'edit first' : 'undo first' }
    }
  },
}

/** After an erasure and an import that contains the person, no record and no row has the address. */
export const erasureAgainstImport: Race = {
  name: 'crm-10 a person erased while a file with them is imported',
  async prepare(app) {
    const { acme, imports } = await prepareRace(app)
    return async () => {
      const email = nextEmail()
      const contact = (await acme.member.post('/api/contacts/', { last_name: 'Erased', email })).body
      const id = await imports.prepare(acme, `email,last_name\n${email},Erased\n`)

      const [run, erased] = await runConcurrently(
        () => start(acme, id),
        async () => {
          await waitForWorker()
          return await acme.admin.post(`/api/contacts/${contact.id}/erase`, { confirm: 'ERASE' })
        },
      )

      if (run.status !== 202 || erased.status !== 202) return { violation: `${run.text} ${erased.text}` }
      await Promise.all([waitForTask(acme, run.body, 60), waitForTask(acme, erased.body, 60)])
      const { rows } = await acme.sql(
        `select (select count(*)::int from crm.leads where tenant_id = $1 and email_key = $2) as leads,
           (select count(*)::int from crm.contacts where tenant_id = $1 and email_key = $2) as contacts,
           (select count(*)::int from crm.import_rows where tenant_id = $1 and cells::text ilike '%' || $2 || '%') as rows`,
        [acme.id, email],
      )
      const { leads, contacts, rows: left } = rows[0]
      if (leads + contacts + left > 0) return { violation: JSON.stringify(rows[0]) }
      const { created } = await stateOf(acme, id)
      return { outcome: created ? 'import first' : 'erasure first' }
    }
  },
}
