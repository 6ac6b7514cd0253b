import { execFileSync } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'

/** Returns the preferred port if it is free, else any free port. */
export async function freePort(preferred = 0): Promise<number> {
  return (await probePort(preferred)) ?? (await freePort())
}

function probePort(port: number): Promise<number | undefined> {
  const probe = createServer()
  return new Promise((resolve) => {
    probe.once('error', () => resolve(undefined))
    probe.listen(port, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo
      probe.close(() => resolve(free))
    })
  })
}

/** Returns the postgres user when running as root, because PostgreSQL refuses to run as root. */
export function postgresUser(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  execFileSync('chown', [`${uid}:${gid}`, folder])
  return { uid, gid }
}
