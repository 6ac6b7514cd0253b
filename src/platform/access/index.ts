export { type Actor, operatorIn, type SignedIn, systemIn, type Trace, visitorIn } from './actor.ts'
export { type Role, reaches, roleScopes, roles, scopesOfRole } from './roles.ts'
export { baselineScope, meaningOf, type Resource, resources, type Scope, scopes, type Wildcard } from './scopes.ts'
