import { createStore } from './store.ts'

/** The reason why requests fail: no network, no server, an overloaded one, or a workspace in maintenance, which rejects changes. */
export type Connection = 'online' | 'offline' | 'unreachable' | 'busy' | 'maintenance'

export const connection = createStore<Connection>(navigator.onLine ? 'online' : 'offline')

addEventListener('offline', () => connection.set('offline'))
addEventListener('online', () => connection.set('online'))

const maxLostRequests = 2
let lostRequests = 0

/** A single request can be lost on the way; the server cannot be reached if several in a row get no response. */
export function noteLostRequest(): void {
  lostRequests += 1
  if (lostRequests >= maxLostRequests && navigator.onLine) connection.set('unreachable')
}

/** Whether another version of the application was installed since the page was loaded. */
export const hasNewVersion = createStore(false)
let revision: string | null = null

export function noteRevision({ headers }: Response): void {
  const current = headers.get('x-app-revision')
  revision ??= current
  if (current !== null && current !== revision) hasNewVersion.set(true)
}

/** Learns from every response whether the service works. Only a change can show that maintenance has ended. */
export async function noteResponse({ method }: Request, response: Response): Promise<void> {
  noteRevision(response)
  lostRequests = 0
  const { status } = response
  if (status === 503) connection.set('busy')
  else if (status === 409 && (await readCode(response)) === 'tenant_in_maintenance') connection.set('maintenance')
  else if (connection.get() !== 'maintenance' || (method !== 'GET' && response.ok)) connection.set('online')
}

const readCode = async (response: Response): Promise<unknown> =>
  (
    await response
      .clone()
      .json()
      .catch(() => ({}))
  ).code
