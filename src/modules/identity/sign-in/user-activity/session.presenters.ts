import { definePresenter } from '#platform/module'
import { listSessionsById } from './active-sessions.queries.ts'
import { OnlineSession } from './user-activity.schemas.ts'

/** An impersonation is a session with an actor. */
export const sessionPresenters = ['session', 'impersonation'].map((subjectType) =>
  definePresenter({
    subjectType,
    schema: OnlineSession,
    list: async (tx, ids, now) => (await listSessionsById(tx, ids, now)).map((session) => [session.id, session]),
  }),
)
