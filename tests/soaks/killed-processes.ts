import { once } from 'node:events'
import { startWorkerProcess } from '#testing'
import { startKillableApi } from '../faults/api-process.fixture.ts'
import type { TestApp, TestWorkspace } from './soak.ts'

/** Runs an API and a worker in processes of their own, which can be killed and started again. */
export async function startProcesses({ config }: TestApp, acme: TestWorkspace) {
  let [api, worker] = await Promise.all([startKillableApi(config), startWorkerProcess(config)])
  const headers = { host: acme.host, authorization: `Bearer ${acme.manager.accessToken}` }
  const killApi = async () => {
    const exited = once(api.child, 'exit')
    api.child.kill('SIGKILL')
    await exited
  }
  return {
    /** Resolves with status 0 if the connection was lost. */
    post: (path: string, body: object) =>
      api.send('POST', path, headers, body).catch(() => ({ status: 0, body: {} as Record<string, unknown> })),
    async restart() {
      await Promise.all([killApi(), worker.kill()])
      ;[api, worker] = await Promise.all([startKillableApi(config), startWorkerProcess(config)])
    },
    async stop() {
      await Promise.all([killApi(), worker.kill()])
    },
  }
}
