import { canonicalJson } from '#platform/canonical-json'

type Tree = Record<string, unknown>

export function mergeTrees(current: Tree, changes: Tree): Tree {
  const result: Tree = { ...current }
  for (const [name, change] of Object.entries(changes)) {
    const before = result[name]
    result[name] = isTree(change) ? mergeTrees(isTree(before) ? before : {}, change) : change
  }
  return result
}

export function flattenTree(tree: Tree, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(tree).flatMap(([name, value]) =>
      isTree(value) ? [...flattenTree(value, `${prefix}${name}.`)] : [[`${prefix}${name}`, value] as const],
    ),
  )
}

export function changedPaths(before: Tree, after: Tree): string[] {
  const [oldValues, newValues] = [flattenTree(before), flattenTree(after)]
  const paths = new Set([...oldValues.keys(), ...newValues.keys()])
  return [...paths].filter(
    (path) => canonicalJson(oldValues.get(path) ?? null) !== canonicalJson(newValues.get(path) ?? null),
  )
}

export function splitSecrets(changes: Tree, secretPaths: readonly string[]) {
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

export function withValueAt(tree: Tree, path: string, value: unknown): Tree {
  const change = path.split('.').reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  return mergeTrees(tree, change as Tree)
}

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)
