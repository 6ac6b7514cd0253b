import { canonicalJson } from '#platform/canonical-json'

type Tree = Record<string, unknown>

/** What was there, with what was sent laid over it. Lists are replaced as a whole. */
export function merged(current: Tree, changes: Tree): Tree {
  const result: Tree = { ...current }
  for (const [name, change] of Object.entries(changes)) {
    const before = result[name]
    result[name] = isTree(change) ? merged(isTree(before) ? before : {}, change) : change
  }
  return result
}

/** Every value under its path: `okta.issuer`. */
export function flattened(tree: Tree, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      isTree(value) ? [...flattened(value, `${prefix}${name}.`)] : [[`${prefix}${name}`, value] as const],
    ),
  )
}

/** The paths whose values differ. */
export function changedPaths(before: Tree, after: Tree): string[] {
  const [was, is] = [flattened(before), flattened(after)]
  const paths = new Set([...was.keys(), ...is.keys()])
  return [...paths].filter((path) => canonicalJson(was.get(path) ?? null) !== canonicalJson(is.get(path) ?? null))
}

/** Secrets are kept apart from the rest of what was sent: null clears one. */
export function withoutSecrets(changes: Tree, secretPaths: readonly string[]) {
  const plain = structuredClone(changes)
  const secrets = new Map<string, string | null>()
  for (const path of secretPaths) {
    const names = path.split('.')
    const last = names.pop()!
    const parent = names.reduce<unknown>((tree, name) => (isTree(tree) ? tree[name] : undefined), plain)
    if (!isTree(parent) || !Object.hasOwn(parent, last)) continue
    secrets.set(path, parent[last] as string | null)
    delete parent[last]
  }
  return { plain, secrets }
}

/** Puts a value where its path says. */
export function withValueAt(tree: Tree, path: string, value: unknown): Tree {
  const change = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  return merged(tree, change as Tree)
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
