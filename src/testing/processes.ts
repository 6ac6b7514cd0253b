import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** Returns the preferred port if it is free, else any free port. */
export async function freePort(preferred = 0): Promise<number> {
  const probe = createServer().listen(preferred, '127.0.0.1')
  const isTaken = await Promise.race([
    once(probe, 'listening').then(() => false),
    once(probe, 'error').then(() => true),
  ])
  if (isTaken) return await freePort()
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

/** Returns the postgres user when running as root, because PostgreSQL refuses to run as root. */
export function postgresUser(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  execFileSync('chown', [`${uid}:${gid}`, folder])
  return { uid, gid }
}
