import { Type } from 'typebox'
import { roles } from '#platform/access'
import { defineEvent } from '#platform/outbox'
import { Email, Id, nullable, strict, Timestamp } from '#platform/schema'

const RoleName = Type.Enum([...roles])
const TeamRole = Type.Enum(['lead', 'member'])
const Fields = Type.Array(Type.String(), { examples: [['name']] })
const text = (example: string) => Type.String({ examples: [example] })

export const userCreated = defineEvent('user.created', {
  resource: 'users',
  description: 'A user was created',
  data: strict({ email: Email, role: RoleName, source: text('admin') }),
})
export const userInvited = defineEvent('user.invited', {
  resource: 'users',
  description: 'A user was invited',
  data: strict({ email: Email }),
})
export const userActivated = defineEvent('user.activated', {
  resource: 'users',
  description: 'An invited user activated the account',
  data: strict({}),
})
export const userUpdated = defineEvent('user.updated', {
  resource: 'users',
  description: 'A user was updated',
  data: strict({ changed: Fields }),
})
export const userRoleChanged = defineEvent('user.role_changed', {
  resource: 'users',
  description: 'The role of a user changed',
  data: strict({ from: { ...RoleName, examples: ['member'] }, to: { ...RoleName, examples: ['manager'] } }),
})
export const userDeactivated = defineEvent('user.deactivated', {
  resource: 'users',
  description: 'A user was deactivated',
  data: strict({ reassign_to_user_id: nullable(Id) }),
})
export const userReactivated = defineEvent('user.reactivated', {
  resource: 'users',
  description: 'A user was reactivated',
  data: strict({}),
})
export const userErased = defineEvent('user.erased', {
  resource: 'users',
  description: 'The personal data of a former user was erased',
  data: strict({}),
})
export const userPasswordChanged = defineEvent('user.password_changed', {
  resource: 'users',
  description: 'A user changed the password',
  data: strict({}),
})
export const userPasswordResetByAdmin = defineEvent('user.password_reset_by_admin', {
  resource: 'users',
  description: 'An admin reset the password of a user',
  data: strict({ delivery: text('email_link') }),
})
export const teamCreated = defineEvent('team.created', {
  resource: 'teams',
  description: 'A team was created',
  data: strict({ name: text('Sales') }),
})
export const teamUpdated = defineEvent('team.updated', {
  resource: 'teams',
  description: 'A team was updated',
  data: strict({ changed: Fields }),
})
export const teamDeleted = defineEvent('team.deleted', {
  resource: 'teams',
  description: 'A team was deleted',
  data: strict({ name: text('Sales') }),
})
export const teamMemberAdded = defineEvent('team.member_added', {
  resource: 'teams',
  description: 'A user was added to a team',
  data: strict({ user_id: Id, role: TeamRole }),
})
export const teamMemberUpdated = defineEvent('team.member_updated', {
  resource: 'teams',
  description: 'The role of a team member changed',
  data: strict({ user_id: Id, role: TeamRole }),
})
export const teamMemberRemoved = defineEvent('team.member_removed', {
  resource: 'teams',
  description: 'A user was removed from a team',
  data: strict({ user_id: Id }),
})
export const sessionCreated = defineEvent('session.created', {
  resource: 'admin',
  description: 'A user signed in',
  data: strict({ user_id: Id, auth_method: text('password') }),
})
export const sessionRevoked = defineEvent('session.revoked', {
  resource: 'admin',
  description: 'A session was revoked',
  data: strict({ user_id: Id, reason: text('logout') }),
})
export const sessionReuseDetected = defineEvent('session.reuse_detected', {
  resource: 'admin',
  description: 'A refresh token was reused and its session revoked',
  data: strict({ user_id: Id }),
})
export const loginFailedRepeatedly = defineEvent('login.failed_repeatedly', {
  resource: 'admin',
  description: 'Sign-in failed repeatedly',
  data: strict({ user_id: nullable(Id) }),
})
export const apiKeyCreated = defineEvent('api_key.created', {
  resource: 'admin',
  description: 'An API key was created',
  data: strict({ name: text('Website form'), created_by: Id }),
})
export const apiKeyUpdated = defineEvent('api_key.updated', {
  resource: 'admin',
  description: 'An API key was updated',
  data: strict({ changed: Fields }),
})
export const apiKeyRotated = defineEvent('api_key.rotated', {
  resource: 'admin',
  description: 'An API key was rotated',
  data: strict({ name: text('Website form'), successor_id: Id, ends_at: Timestamp }),
})
export const apiKeyExpired = defineEvent('api_key.expired', {
  resource: 'admin',
  description: 'An API key expired',
  data: strict({ name: text('Website form'), created_by: Id }),
})
export const apiKeyRevoked = defineEvent('api_key.revoked', {
  resource: 'admin',
  description: 'An API key was revoked',
  data: strict({ name: text('Website form'), reason: text('revoked_by_admin') }),
})
export const connectedAppCreated = defineEvent('connected_app.created', {
  resource: 'admin',
  description: 'A connected app was created',
  data: strict({ name: text('Website') }),
})
export const connectedAppUpdated = defineEvent('connected_app.updated', {
  resource: 'admin',
  description: 'A connected app was updated, disabled or enabled',
  data: strict({ changed: Fields, status: Type.Enum(['active', 'disabled']) }),
})
export const connectedAppDeleted = defineEvent('connected_app.deleted', {
  resource: 'admin',
  description: 'A connected app was deleted and its API keys revoked',
  data: strict({ name: text('Website'), api_keys_revoked: Type.Integer() }),
})
export const impersonationStarted = defineEvent('impersonation.started', {
  resource: 'admin',
  description: 'An admin started impersonating a user',
  data: strict({
    user_id: Id,
    actor_user_id: Id,
    reason: text('A list of the user stays empty.'),
    expires_at: text('2026-03-01T10:00:00.000Z'),
  }),
})
export const impersonationEnded = defineEvent('impersonation.ended', {
  resource: 'admin',
  description: 'An impersonation ended',
  data: strict({ user_id: Id, actor_user_id: Id, reason: text('expired') }),
})
export const settingsUpdated = defineEvent('settings.updated', {
  resource: 'admin',
  description: 'Workspace settings were updated',
  data: strict({ section: text('general'), changed: Fields }),
})
export const tenantCreated = defineEvent('tenant.created', {
  resource: 'admin',
  description: 'The workspace was created',
  data: strict({ slug: text('acme') }),
})
export const tenantSuspended = defineEvent('tenant.suspended', {
  resource: 'admin',
  description: 'The workspace was suspended',
  data: strict({}),
})
export const tenantResumed = defineEvent('tenant.resumed', {
  resource: 'admin',
  description: 'The workspace was resumed',
  data: strict({}),
})
export const tenantRenamed = defineEvent('tenant.renamed', {
  resource: 'admin',
  description: 'The subdomain of the workspace changed',
  data: strict({ from: text('acme'), to: text('acme-europe') }),
})
