import { createStore } from './store.ts'

/** The reason why requests fail: no network, an overloaded service, or a workspace in maintenance, which rejects changes. */
export type Connection = 'online' | 'offline' | 'busy' | 'maintenance'

export const connection = createStore<Connection>(navigator.onLine ? 'online' : 'offline')

addEventListener('offline', () => connection.set('offline'))
addEventListener('online', () => connection.set('online'))

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
