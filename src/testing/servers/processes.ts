import { execFileSync } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

/** Below the ports that systems give to outgoing connections, which could take a port again before its server starts. */
const [firstPort, lastPort] = [15_000, 32_000]

/** Returns the preferred port if it is free, else a random free port. Use `listenOnFreePort` for a server of this process. */
export async function freePort(preferred = randomInt(firstPort, lastPort)): Promise<number> {
  const probe = createServer()
  try {
    await listen(probe, preferred)
  } catch {
    return await freePort()
  }
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Starts the server on the preferred port or, if that is in use, on any free port, and returns the port. */
export async function listenOnFreePort(server: Server, preferred = 0): Promise<number> {
  await listen(server, preferred).catch(() => listen(server, 0))
  return (server.address() as AddressInfo).port
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}

/** Returns the postgres user when running as root, because PostgreSQL refuses to run as root. */
export function postgresUser(folder: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = ['-u', '-g'].map((flag) => Number(execFileSync('id', [flag, 'postgres'])))
  execFileSync('chown', [`${uid}:${gid}`, folder])
  return { uid, gid }
}
