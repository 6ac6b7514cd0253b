import { definePresenter } from '#platform/module'
import { presentExperts } from './directory/present-experts.service.ts'
import { listExpertsByIds } from './records/experts.queries.ts'
import { Expert } from './records/experts.schemas.ts'

export const expertPresenters = [
  definePresenter({
    subjectType: 'expert',
    schema: Expert,
    list: async (tx, ids, now) =>
      (await presentExperts(tx, await listExpertsByIds(tx, ids), now)).map((expert) => [expert.id, expert]),
  }),
]
