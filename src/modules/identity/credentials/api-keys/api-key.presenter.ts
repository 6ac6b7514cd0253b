import { definePresenter } from '#platform/module'
import { listApiKeysById } from './api-keys.queries.ts'
import { toApiKey } from './api-keys.rules.ts'
import { ApiKey } from './api-keys.schemas.ts'

export const apiKeyPresenter = definePresenter({
  subjectType: 'api_key',
  schema: ApiKey,
  list: async (tx, ids, now) => (await listApiKeysById(tx, ids)).map((row) => [row.id, toApiKey(row, now)]),
})
