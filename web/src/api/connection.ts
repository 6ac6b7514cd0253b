import { createStore } from './store.ts'

/** The reason why requests are not answered: no network, or maintenance of the workspace. */
export type Connection = 'online' | 'offline' | 'maintenance'

export const connection = createStore<Connection>(navigator.onLine ? 'online' : 'offline')

addEventListener('offline', () => connection.set('offline'))
addEventListener('online', () => connection.set('online'))

export function noteResponse({ status }: Response): void {
  if (status === 503) connection.set('maintenance')
  else if (connection.get() !== 'offline' || status > 0) connection.set('online')
}
