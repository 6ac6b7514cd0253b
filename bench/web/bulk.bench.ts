// npm run bench -- web/bulk: what the web application asks for with many contacts. 12,480 contacts are assigned to another owner, and
// a second time until a cancellation; 200,000 contacts are exported. Compared with bare statements that write and read the same rows.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startWorker } from '../api.ts'
import { startNewWorkspace } from '../workspaces/new-workspace.ts'
import { checkCancellation, measureAssignments } from './bulk-assignment.ts'
import { type Bench, fillContacts } from './bulk-contacts.ts'
import { measureExports } from './bulk-export.ts'

export async function run(): Promise<void> {
  const files = await mkdtemp(join(tmpdir(), 'tributary-bulk-'))
  const workspace = await startNewWorkspace('bulk', { STORAGE_URL: `file://${files}` })
  const bare = new pg.Client(workspace.superuserUrl)
  const { send, close } = workspace.createClient()
  const worker = await startWorker(workspace.environment)
  try {
    await bare.connect()
    await bare.query(`select set_config('app.tenant_id', $1, false)`, [workspace.tenantId])
    const owners: Bench['owners'] = [await workspace.createUser('first'), await workspace.createUser('second')]
    await fillContacts(bare, workspace.tenantId, owners[0])
    const bench: Bench = { workspace, send, bare, owners }
    const assigning = await measureAssignments(bench)
    await checkCancellation(bench)
    const exporting = await measureExports(bench)
    console.log(`ratio: ${Math.max(assigning, exporting).toFixed(2)}`)
  } finally {
    close()
    await worker.stop()
    await bare.end()
    await workspace.stop()
    await rm(files, { recursive: true })
  }
}
