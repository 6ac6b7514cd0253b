import { defineRecordCheck, type IntegrityCheck } from '#platform/module'
import { revokeSessions } from '../workspace/sessions/sessions.service.ts'
import { findTenantWithoutAdmin, listSessionsOfInactiveUsers } from './integrity.queries.ts'

export const identityChecks = (): IntegrityCheck[] => [
  defineRecordCheck({
    code: 'no_active_admin',
    title: 'Workspace without an active admin',
    severity: 'error',
    hint: 'Ask the operator to invite a new admin with `user invite-admin`.',
    resourceType: 'tenant',
    find: (tx) => findTenantWithoutAdmin(tx),
  }),
  defineRecordCheck({
    code: 'session_of_inactive_user',
    title: 'Active session of an inactive user',
    severity: 'error',
    hint: 'Revoke the session. It cannot be used, because every request also checks the user.',
    resourceType: 'session',
    find: listSessionsOfInactiveUsers,
    repair: (tx, ids) => revokeSessions(tx, ids, 'integrity'),
  }),
]
