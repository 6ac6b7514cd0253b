import { definePresenter } from '#platform/module'
import { listConnectedAppsById } from './connected-apps.queries.ts'
import { ConnectedApp } from './connected-apps.schemas.ts'
import { toConnectedApp } from './connected-apps.service.ts'

export const connectedAppPresenter = definePresenter({
  subjectType: 'connected_app',
  schema: ConnectedApp,
  list: async (tx, ids, now) => (await listConnectedAppsById(tx, ids, now)).map((row) => [row.id, toConnectedApp(row)]),
})
