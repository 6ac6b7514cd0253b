import { definePresenter } from '#platform/module'
import { listUsersById } from '../../workspace/user-records/users.queries.ts'
import { User } from '../../workspace/user-records/users.schemas.ts'

/** Shows private fields, because only admins can subscribe to events of users. */
export const userPresenter = definePresenter({
  subjectType: 'user',
  schema: User,
  list: async (tx, ids) => (await listUsersById(tx, ids, true)).map((user) => [user.id, user]),
})
