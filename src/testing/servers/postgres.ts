import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, statfsSync } from 'node:fs'
import { mkdtemp, open, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, postgresUser } from './processes.ts'

/** Avoids background work that competes with the tests. */
export const testServerSettings = [
  'autovacuum=off',
  'jit=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'shared_buffers=256MB',
  'max_wal_size=4GB',
  'checkpoint_timeout=1h',
]

type Options = { folder?: string; port?: number; settings?: string[]; isDurable?: boolean; inMemory?: boolean }

/** Starts a PostgreSQL server. Without `folder` it is temporary and runs without fsync. */
export async function startPostgres({
  folder,
  port,
  settings = [],
  isDurable = false,
  inMemory = false,
}: Options = {}) {
  const home = folder ?? (await mkdtemp(join(inMemory ? memoryFolder() : tmpdir(), 'tributary-postgres-')))
  const user = postgresUser(home)
  if (!globSync(join(home, 'PG_VERSION')).length) {
    const flags = ['-D', home, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync', '--locale=C.UTF-8']
    execFileSync(binary('initdb'), flags, { stdio: ['ignore', 'ignore', 'inherit'], cwd: home, ...user })
  }

  const chosenPort = port ?? (await freePort())
  const speed = isDurable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']
  const all = [...speed, 'max_connections=300', 'unix_socket_directories=', 'listen_addresses=127.0.0.1', ...settings]
  const args = ['-D', home, '-p', String(chosenPort), ...all.flatMap((setting) => ['-c', setting])]
  const logPath = join(home, 'server.log')
  const logFile = await open(logPath, 'w')
  // Detached, so that Ctrl-C in the terminal does not stop the server before the processes that use it.
  const server = spawn(binary('postgres'), args, {
    stdio: ['ignore', logFile.fd, logFile.fd],
    cwd: home,
    detached: true,
    ...user,
  })
  await logFile.close()
  const killOnExit = () => server.kill('SIGQUIT')
  process.once('exit', killOnExit)

  const url = `postgres://postgres@127.0.0.1:${chosenPort}`
  await waitUntilReady(server, `${url}/postgres`, logPath)
  return {
    url,
    port: chosenPort,
    folder: home,
    pid: server.pid!,
    async stop() {
      process.off('exit', killOnExit)
      if (server.exitCode === null) {
        server.kill('SIGINT')
        await once(server, 'exit')
      }
      if (!folder) await rm(home, { recursive: true, force: true })
    },
  }
}

export async function serverVersionOf(url: string): Promise<string> {
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('show server_version')
  await client.end()
  return rows[0]!.server_version
}

/** Returns all rows of a database as text. */
export const dumpDatabase = (url: string): string =>
  execFileSync(binary('pg_dump'), ['--data-only', '--dbname', url], { encoding: 'utf8', maxBuffer: 512 * 1024 * 1024 })

const binary = (name: string) => globSync(`/usr/lib/postgresql/*/bin/${name}`).sort().at(-1) ?? name

/** Copying a database in memory takes a third of the processor time. Containers often have only 64 MB there. */
function memoryFolder(): string {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return tmpdir()
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 4 * 1024 ** 3 ? folder : tmpdir()
}

async function waitUntilReady(server: ChildProcess, url: string, logPath: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL did not start.\n${await readFile(logPath, 'utf8')}`)
    const client = new pg.Client(url)
    client.on('error', () => {})
    try {
      await client.connect()
      return await client.end()
    } catch (error) {
      if (attempt === 300) throw error
      await sleep(50)
    }
  }
}
