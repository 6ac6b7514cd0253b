import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { notFound } from '#platform/errors'
import type { OpenApiDocument } from '../openapi/document.ts'
import { selectTag } from '../openapi/select-tag.ts'
import { webhookTag } from '../openapi/webhooks.ts'
import { cacheFile, createStaticFile, type StaticFile } from '../static-file.ts'

const generatedFile = join(import.meta.dirname, '../../../../docs/openapi.json')
const json = 'application/json; charset=utf-8'

export type OpenApiFiles = {
  document(): Promise<OpenApiDocument>
  whole(): Promise<StaticFile>
  /** The part of a resource, with its webhook events. */
  ofTag(tag: string): Promise<StaticFile>
}

/** Keeps the OpenAPI document and its parts in memory. Must be called before the routes are registered. */
export function createOpenApiFiles(app: FastifyInstance): OpenApiFiles {
  const operationIds = new Set<string>()
  app.addHook('onRoute', ({ schema }: RouteOptions) => {
    if (schema && !schema.hide) operationIds.add(String((schema as { operationId?: string }).operationId))
  })
  const byTag = new Map<string, () => Promise<StaticFile>>()
  let loading: Promise<OpenApiDocument> | undefined
  const document = () => (loading ??= loadDocument(app, operationIds))
  return {
    document,
    whole: cacheFile(async () => createStaticFile(json, JSON.stringify(await document()))),
    async ofTag(tag) {
      const { tags = [] } = await document()
      if (tag === webhookTag || !tags.some(({ name }) => name === tag)) throw notFound('tag')
      const file =
        byTag.get(tag) ??
        cacheFile(async () => createStaticFile(json, JSON.stringify(selectTag(await document(), tag))))
      byTag.set(tag, file)
      return await file()
    },
  }
}

/** Reads the generated file, because building the document takes seconds. Builds it if the file is missing or has other operations. */
async function loadDocument(app: FastifyInstance, operationIds: ReadonlySet<string>): Promise<OpenApiDocument> {
  const text = await readFile(generatedFile, 'utf8').catch(() => undefined)
  const generated = text && (JSON.parse(text) as OpenApiDocument)
  if (generated && hasOperations(generated, operationIds)) return generated
  return JSON.parse(JSON.stringify(app.swagger()))
}

function hasOperations({ paths }: OpenApiDocument, ids: ReadonlySet<string>): boolean {
  const documented = Object.values(paths).flatMap((methods) => Object.values(methods).map((one) => one.operationId))
  return documented.length === ids.size && documented.every((id) => ids.has(String(id)))
}
