import { definePresenter } from '#platform/module'
import { listExpertsByIds } from './expert-records/experts.queries.ts'
import { Expert } from './expert-records/experts.schemas.ts'
import { presentExperts } from './experts/present-experts.service.ts'

export const expertPresenters = [
  definePresenter({
    subjectType: 'expert',
    schema: Expert,
    list: async (tx, ids, now) =>
      (await presentExperts(tx, await listExpertsByIds(tx, ids), now)).map((expert) => [expert.id, expert]),
  }),
]
