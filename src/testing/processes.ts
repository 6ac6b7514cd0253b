import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'

/** The preferred port if nobody has it, else any free one. */
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

/** PostgreSQL refuses to run as root, which is what one often is in a container. */
export function unprivileged(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  execFileSync('chown', [`${uid}:${gid}`, folder])
  return { uid, gid }
}
