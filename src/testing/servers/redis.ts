import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './processes.ts'

const binary = 'redis-server'

/** Starts a Redis without persistence. Pass `port` to restart one on the same port. */
export async function startRedis({ port }: { port?: number } = {}) {
  const chosenPort = port ?? (await freePort())
  const flags = ['--bind', '127.0.0.1', '--port', String(chosenPort), '--dir', tmpdir(), '--save', '']
  const server = spawn(binary, [...flags, '--appendonly', 'no'], { stdio: 'ignore', detached: true })
  server.once('error', () => {})
  const killOnExit = () => server.kill('SIGKILL')
  process.once('exit', killOnExit)
  await waitUntilReady(server, chosenPort)

  return {
    url: `redis://127.0.0.1:${chosenPort}`,
    port: chosenPort,
    pid: server.pid!,
    /** Stops responding but keeps connections open. */
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    async stop() {
      process.off('exit', killOnExit)
      if (server.exitCode !== null || server.signalCode !== null) return
      server.kill('SIGKILL')
      await once(server, 'exit')
    },
  }
}

async function waitUntilReady(server: ChildProcess, port: number): Promise<void> {
  for (let attempt = 1; attempt <= 200; attempt++) {
    if (server.pid === undefined) throw new Error('redis-server was not found on the PATH. Install the package redis.')
    if (server.exitCode !== null) throw new Error(`redis-server did not start on port ${port}.`)
    if (await isReady(port)) return
    await sleep(25)
  }
  server.kill('SIGKILL')
  throw new Error(`redis-server does not respond on port ${port}.`)
}

function isReady(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1', () => socket.write('PING\r\n'))
  return new Promise<boolean>((resolve) => {
    socket.once('data', (reply) => resolve(reply.toString().startsWith('+PONG')))
    socket.once('error', () => resolve(false))
    socket.setTimeout(1_000, () => resolve(false))
  }).finally(() => socket.destroy())
}
