import { definePresenter } from '#platform/module'
import { listCadencesById } from './cadence-details.service.ts'
import { Cadence } from './cadences.schemas.ts'

export const cadencePresenter = definePresenter({
  subjectType: 'cadence',
  schema: Cadence,
  list: async (tx, ids) => (await listCadencesById(tx, ids)).map((cadence) => [cadence.id, cadence]),
})
