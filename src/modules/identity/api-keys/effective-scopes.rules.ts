import { type Role, resources, roleScopes, type Scope, type Wildcard } from '#platform/access'

export type KeyScope = Scope | Wildcard
export type Preset = 'read_only' | null

/** What a key may do today: what was written on it, as far as its creator may do it too. A read-only key never writes. */
export function effectiveScopes(granted: readonly KeyScope[], role: Role, preset: Preset): Set<Scope> {
  const held = roleScopes[role]
  return new Set(expand(granted).filter((scope) => held.has(scope) && (preset !== 'read_only' || isRead(scope))))
}

function expand(granted: readonly KeyScope[]): Scope[] {
  return granted.flatMap((scope): Scope[] => {
    const [resource, action] = scope.split('.')
    return resource === 'crm' ? resources.map((one) => `${one}.${action}` as Scope) : [scope as Scope]
  })
}

const isRead = (scope: Scope) => scope.endsWith('.read')
