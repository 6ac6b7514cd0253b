import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './processes.ts'

/** Of Debian's package redis. */
const binary = 'redis-server'

/** A throwaway Redis that keeps nothing. Naming the port lets one come back where another was. */
export async function startRedis({ port }: { port?: number } = {}) {
  const chosenPort = port ?? (await freePort())
  const flags = ['--bind', '127.0.0.1', '--port', String(chosenPort), '--dir', tmpdir(), '--save', '']
  const server = spawn(binary, [...flags, '--appendonly', 'no'], { stdio: 'ignore' })
  server.once('error', () => {})
  const endWithUs = () => server.kill('SIGKILL')
  process.once('exit', endWithUs)
  await untilReady(server, chosenPort)

  return {
    url: `redis://127.0.0.1:${chosenPort}`,
    port: chosenPort,
    pid: server.pid!,
    /** Keeps its connections open and says nothing more, as a machine that swaps or a network that swallows does. */
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async stop() {
      process.off('exit', endWithUs)
      if (server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
  }
}

async function untilReady(server: ChildProcess, port: number): Promise<void> {
  for (let attempt = 1; attempt <= 200; attempt++) {
    if (server.pid === undefined) throw new Error('There is no redis-server on the path: install the package redis.')
    if (server.exitCode !== null) throw new Error(`redis-server did not start on port ${port}.`)
    if (await answers(port)) return
    await sleep(25)
  }
  server.kill('SIGKILL')
  throw new Error(`redis-server does not answer on port ${port}.`)
}

function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
  return new Promise<boolean>((resolve) => {
    socket.once('data', (reply) => resolve(reply.toString().startsWith('+PONG')))
    socket.once('error', () => resolve(false))
    socket.setTimeout(1_000, () => resolve(false))
  }).finally(() => socket.destroy())
}
