import { type Role, resources, roleScopes, type Scope, type Wildcard } from '#platform/access'

export type KeyScope = Scope | Wildcard
export type Preset = 'read_only' | null

export const wildcards: readonly Wildcard[] = ['crm.read', 'crm.write', 'crm.delete']

/** Intersects the granted scopes with the current role of the creator. Read-only keys keep only read scopes. */
export function effectiveScopes(granted: readonly KeyScope[], role: Role, preset: Preset): Set<Scope> {
  const roleGrants = roleScopes[role]
  return new Set(
    expandWildcards(granted).filter((scope) => roleGrants.has(scope) && (preset !== 'read_only' || isRead(scope))),
  )
}

function expandWildcards(granted: readonly KeyScope[]): Scope[] {
  return granted.flatMap((scope): Scope[] => {
    const [resource, action] = scope.split('.')
    return resource === 'crm' ? resources.map((resourceName) => `${resourceName}.${action}` as Scope) : [scope as Scope]
  })
}

const isRead = (scope: Scope) => scope.endsWith('.read')
