import { buildCall } from '../matrix/calls.ts'
import { fixtures } from '../matrix/fixtures.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'
import type { Route, Schema } from '../matrix/routes.ts'

type QuerySchema = Schema & { enum?: unknown[]; const?: unknown; minimum?: number; pattern?: string }

/** Parameters that select a page and not rows. */
const pageParameters = new Set(['limit', 'offset', 'cursor', 'page', 'page_size', 'after', 'before'])

/** Returns the URLs of a route: without parameters, and with values of every sort and filter alone. */
export async function listReadUrls(route: Route, tenant: MatrixTenant, maxValues: number): Promise<string[]> {
  const { url } = await buildCall(route, fixtures[route.name]!, tenant)
  const values = Object.entries(route.query?.properties ?? {})
    .filter(([name]) => !pageParameters.has(name))
    .flatMap(([name, schema]) =>
      sampleValues(name, schema, tenant)
        .slice(0, name === 'sort' ? undefined : maxValues)
        .map((value) => [name, value] as const),
    )
  return [url, ...values.map(([name, value]) => withParameter(url, name, value))]
}

export const isReadRoute = (route: Route): boolean => route.method === 'GET' && route.name in fixtures

function withParameter(url: string, name: string, value: string): string {
  const [path, query] = url.split('?')
  const parameters = new URLSearchParams(query)
  parameters.set(name, value)
  return `${path}?${parameters}`
}

function sampleValues(name: string, schema: QuerySchema, tenant: MatrixTenant): string[] {
  const { workspace } = tenant
  if (schema.const !== undefined) return [String(schema.const)]
  if (schema.enum) return schema.enum.map(String)
  if (schema.anyOf) return schema.anyOf.flatMap((one) => sampleValues(name, one, tenant))
  if (schema.items) return sampleValues(name, schema.items, tenant)
  if (schema.format === 'uuid') return [workspace.member.userId]
  if (schema.format === 'date') return ['2026-01-01']
  if (schema.format === 'date-time') return ['2026-01-01T00:00:00Z']
  if (schema.type === 'boolean') return ['true', 'false']
  if (schema.type === 'integer' || schema.type === 'number') return [String(Math.max(schema.minimum ?? 10, 10))]
  return schema.type === 'string' ? (textValues[name] ?? ['web']) : []
}

const textValues: Record<string, string[]> = {
  search: ['ander', 'company 7'],
  domain: ['company7.example'],
  email: ['a@company7.example'],
  tags: ['vip'],
  tag: ['vip'],
}
