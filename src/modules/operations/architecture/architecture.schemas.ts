import { type Static, Type } from 'typebox'
import { named, nullable, strict } from '#platform/schema'

const Names = Type.Array(Type.String())

const ModuleOverview = strict({
  name: Type.String({ examples: ['crm'] }),
  purpose: Type.String(),
  depends_on: Names,
  tables: Names,
  routes: Type.Array(
    strict({
      method: Type.String({ examples: ['GET'] }),
      path: Type.String({ examples: ['/api/leads/'] }),
      access: Type.Enum(['scope', 'signed_in', 'public']),
      scope: nullable(Type.String({ examples: ['leads.read'] })),
    }),
  ),
  jobs: Names,
  schedules: Names,
  events_emitted: Names,
  events_consumed: Names,
})
export type ModuleOverview = Static<typeof ModuleOverview>

export const Architecture = named(
  'Architecture',
  strict({
    service: Type.String(),
    api_version: Type.String(),
    modules: Type.Array(ModuleOverview),
    stores: Type.Array(
      strict({
        name: Type.String({ examples: ['PostgreSQL'] }),
        kind: Type.Enum(['database', 'cache', 'file_store']),
        role: Type.String(),
        required: Type.Boolean(),
      }),
    ),
    external: Type.Array(strict({ name: Type.String({ examples: ['SMTP server'] }), configured: Type.Boolean() })),
    counts: strict({
      modules: Type.Integer(),
      tables: Type.Integer(),
      routes: Type.Integer(),
      jobs: Type.Integer(),
      schedules: Type.Integer(),
      events: Type.Integer(),
    }),
  }),
)
export type Architecture = Static<typeof Architecture>

const Document = Type.Unsafe<string>({ type: 'string' })

export const ArchitectureDocument = {
  description: 'The document, as Markdown or, if the `Accept` header prefers it, as HTML.',
  content: { 'text/markdown': { schema: Document }, 'text/html': { schema: Document } },
}
