import assert from 'node:assert/strict'
import { fixtures } from '../../matrix/fixtures.ts'
import type { CanaryWorkspace } from '../canary-workspace.ts'
import type { Reader } from '../readers.ts'
import { download, type Output, type Way } from './way.ts'

const exportUrls: string[] = []
let backupUrl = ''

/** Every route that starts an export, and the files of all exports for every reader. */
export const exports: Way = {
  name: 'exports',
  async start(canary, { readers, isShort }) {
    const routes = canary.app.routes.filter(({ method, url }) => method === 'POST' && /\/exports?$/.test(url))
    for (const { name, url } of routes)
      for (const kind of Object.values(fixtures[name]?.path ?? { '': '' })) {
        const path = url.replace(/:\w+/, canary.ids[kind]?.[0] ?? '')
        exportUrls.push(...(await startExports(readers, path, isShort)))
      }
  },
  read: (canary, { readers }) => downloadAll(canary, readers, exportUrls),
}

/** Starts an export for every reader who may, or for the first one in a short run. */
async function startExports(readers: readonly Reader[], path: string, isShort: boolean): Promise<string[]> {
  const urls: string[] = []
  for (const { client } of readers.toReversed()) {
    const { status, body } = await client.post(path, path.startsWith('/api/surveys') ? undefined : {})
    if (status === 202) urls.push(`${path.replace(/exports?$/, 'exports')}/${body.export_id}/file`)
    if (isShort && urls.length) break
  }
  assert.ok(urls.length, `no reader can start ${path}`)
  return urls
}

/** The archive of the workspace with its files. */
export const archive: Way = {
  name: 'archive',
  async start({ users }) {
    const { body } = await users.admin.post('/api/admin/backups', { include_files: true })
    backupUrl = `/api/admin/backups/${body.backup_id}/download`
  },
  read: (canary, { readers }) => downloadAll(canary, readers, [backupUrl]),
}

async function downloadAll(
  canary: CanaryWorkspace,
  readers: readonly Reader[],
  urls: readonly string[],
): Promise<Output[]> {
  const outputs: Output[] = []
  for (const url of urls) for (const reader of readers) outputs.push(await download(canary, reader, url))
  return outputs
}
