import type { OpenApiDocument, OperationObject } from './document.ts'
import { webhookTag } from './webhooks.ts'

type Components = Record<string, Record<string, unknown>>
type Operations = Record<string, Record<string, OperationObject>>

/** Reduces the document to the operations and webhooks of a resource and the components that they refer to. */
export function selectTag(document: OpenApiDocument, tag: string): OpenApiDocument {
  const hasTag = ({ tags }: OperationObject) => tags?.includes(tag)
  const paths = filterOperations(document.paths, hasTag)
  const webhooks = filterOperations(
    document.webhooks ?? {},
    (operation) => hasTag(operation) || operation['x-resource'] === tag,
  )
  const isShown = (name: string) => name === tag || (name === webhookTag && Object.keys(webhooks).length > 0)
  const description = document.tags?.find(({ name }) => name === tag)?.description ?? ''
  return {
    ...document,
    info: { ...document.info, description: `${description} [Introduction and all resources](/reference)` },
    tags: document.tags?.filter(({ name }) => isShown(name)),
    paths,
    webhooks,
    components: {
      ...document.components,
      ...selectComponents(document.components as unknown as Components, [paths, webhooks]),
    },
  }
}

function filterOperations(paths: Operations, keep: (operation: OperationObject) => boolean | undefined): Operations {
  const kept = Object.entries(paths).map(([path, methods]) => [
    path,
    Object.fromEntries(Object.entries(methods).filter(([, operation]) => keep(operation))),
  ])
  return Object.fromEntries(kept.filter(([, methods]) => Object.keys(methods!).length > 0))
}

function selectComponents(components: Components, root: unknown): OpenApiDocument['components'] {
  const selected: Components = { schemas: {}, headers: {}, parameters: {}, responses: {} }
  const pending = [root]
  while (pending.length > 0) {
    for (const [, kind, name] of JSON.stringify(pending.pop()).matchAll(/"#\/components\/(\w+)\/(\w+)"/g)) {
      if (selected[kind!]![name!]) continue
      const component = components[kind!]![name!]
      selected[kind!]![name!] = component
      pending.push(component)
    }
  }
  return selected as unknown as OpenApiDocument['components']
}
