import type { IntegrityCheck } from '#platform/module'
import { endSessions } from '../sessions/sessions.service.ts'
import { findSessionsOfInactive, findWithoutAdmin } from './integrity.queries.ts'

/** What must never be found among people and their sessions. */
export const identityChecks: IntegrityCheck[] = [
  {
    code: 'no_active_admin',
    title: 'Nobody can administer the workspace',
    severity: 'error',
    hint: 'The operator invites a new admin: user invite-admin.',
    find: (tx) => findWithoutAdmin(tx),
  },
  {
    code: 'session_of_inactive_user',
    title: 'Somebody who was shut out has an open session',
    severity: 'error',
    hint: 'End the session. It opens nothing, since every request looks at the user too.',
    find: findSessionsOfInactive,
    repair: (tx, ids) => endSessions(tx, ids, 'integrity'),
  },
]
