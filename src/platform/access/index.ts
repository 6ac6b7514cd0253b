export {
  type Actor,
  assertFreshLogin,
  operatorActor,
  publicActor,
  systemActor,
  type Trace,
  type UserActor,
} from './actor.ts'
export { canAccess, isManagerOrAdmin, type Role, roleScopes, roles, scopesOfRole, seesAllRecords } from './roles.ts'
export {
  baselineScope,
  describeResource,
  describeScope,
  grantsAccess,
  type Resource,
  resources,
  type Scope,
  scopes,
  type Wildcard,
} from './scopes.ts'
