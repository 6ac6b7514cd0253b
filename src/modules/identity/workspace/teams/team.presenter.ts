import { definePresenter } from '#platform/module'
import { listTeamsById } from './teams.queries.ts'
import { Team } from './teams.schemas.ts'

export const teamPresenter = definePresenter({
  subjectType: 'team',
  schema: Team,
  list: async (tx, ids) => (await listTeamsById(tx, ids)).map((team) => [team.id, team]),
})
