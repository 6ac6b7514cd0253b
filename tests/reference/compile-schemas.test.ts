import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { readConfig } from '#platform/config'
import { buildApp } from '../../src/app.ts'
import { openServices } from '../../src/services.ts'

const requestParts = { params: 'params', querystring: 'querystring', headers: 'headers', body: 'body' } as const

// Schemas are compiled on first use, so a schema that does not compile would otherwise fail only at its first request.
test('the request and response schemas of every route compile', async () => {
  const files = await mkdtemp(join(tmpdir(), 'tributary-schemas-'))
  const { services, close } = await openServices(
    readConfig({ NODE_ENV: 'test', LOG_LEVEL: 'silent', STORAGE_URL: `file://${files}` }),
  )
  const routes: { app: FastifyInstance; route: RouteOptions }[] = []
  const app = await buildApp(services, async (empty) => {
    empty.addHook('onRoute', function (route) {
      routes.push({ app: this, route })
    })
  })
  await app.ready()

  const failures = routes.flatMap(({ app, route }) => compileSchemas(app, route))

  assert.ok(routes.length > 100)
  assert.deepEqual(failures, [])
  await app.close()
  await close()
  await rm(files, { recursive: true })
})

function compileSchemas(app: FastifyInstance, { method, url, schema = {} }: RouteOptions): string[] {
  const about = { method: String(method), url }
  const requests = Object.entries(requestParts).filter(([part]) => part in schema)
  const responses = Object.entries((schema.response ?? {}) as Record<string, object>)
  const compilations: [string, () => unknown][] = [
    ...requests.map(([part, httpPart]): [string, () => unknown] => {
      const validate = app.validatorCompiler!({ ...about, httpPart, schema: schema[part as keyof typeof requestParts] })
      return [part, () => validate({})]
    }),
    ...responses.map(([status, response]): [string, () => unknown] => {
      const serialize = app.serializerCompiler!({ ...about, httpStatus: status, schema: response })
      return [status, () => callIgnoringValue(serialize)]
    }),
  ]
  return compilations.flatMap(([part, compile]) => {
    try {
      compile()
      return []
    } catch (error) {
      return [`${about.method} ${url} ${part}: ${error}`]
    }
  })
}

/** Serializers reject an empty object that lacks required fields; only compilation errors matter here. */
function callIgnoringValue(serialize: (value: unknown) => string): void {
  try {
    serialize({})
  } catch (error) {
    if (!/is required!|does not match schema definition/.test(String(error))) throw error
  }
}
