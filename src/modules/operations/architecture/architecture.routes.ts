import { readSettings } from '#modules/identity'
import { renderSender } from '#platform/html'
import { type RouteConfig, type Routes, sendPublicPage } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { Architecture, ArchitectureDocument } from './architecture.schemas.ts'
import { toHtml, toMarkdown } from './architecture-document.rules.ts'
import { describeArchitecture } from './describe-architecture.ts'

const limit: RouteLimit = { name: 'architecture', limit: 60, windowSeconds: 60, per: 'user' }
const config: RouteConfig = { scope: 'admin.read', limits: [limit] }

export const architectureRoutes =
  (services: Services): Routes =>
  async (app) => {
    let described: Architecture | undefined
    const getArchitecture = () => (described ??= describeArchitecture(services))

    app.route({
      method: 'GET',
      url: '/api/admin/architecture',
      config,
      schema: {
        operationId: 'getArchitecture',
        summary: 'Get the architecture',
        description:
          'Returns the modules of this service with their tables, routes, jobs and events, read from the running process. Contains no host ' +
          'names, addresses or secrets.',
        response: { 200: Architecture },
      },
      handler: async () => getArchitecture(),
    })

    app.route({
      method: 'GET',
      url: '/api/admin/architecture/document',
      config,
      schema: {
        operationId: 'getArchitectureDocument',
        summary: 'Get the architecture as a document',
        description:
          'The same information as Markdown with a Mermaid diagram, or as an HTML page for `Accept: text/html`.',
        response: { 200: ArchitectureDocument },
      },
      handler: async (request, reply) => {
        const architecture = getArchitecture()
        if (!/\btext\/html\b/.test(request.headers.accept ?? ''))
          return reply.type('text/markdown; charset=utf-8').send(toMarkdown(architecture))
        const { primary_color } = await request.inTenant((tx) => readSettings(tx, 'branding'))
        const theme = { workspace: request.tenant.name, color: primary_color }
        return sendPublicPage(request, reply, theme, {
          title: 'Architecture',
          language: 'en',
          layout: 'document',
          header: renderSender(theme.workspace),
          main: toHtml(architecture),
          footer: '',
        })
      },
    })
  }
