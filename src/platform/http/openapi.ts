import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { headerComponents, refusalComponents } from './openapi-answers.ts'
import { dropUnused, hoistTitled, nameBodies } from './openapi-components.ts'
import type { Document } from './openapi-document.ts'
import { giveExamples } from './openapi-examples.ts'
import { introduction } from './openapi-introduction.ts'
import { completeOperations, parameterComponents } from './openapi-operations.ts'
import { documentRoute } from './openapi-routes.ts'
import { listTags } from './openapi-tags.ts'

/** The machine description, made from the schemas the routes are validated with. */
export async function describeApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tributary',
        version: '1.0.0',
        description: introduction,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as { name: string },
      },
      servers: [{ url: '/', description: 'The workspace this document was read from' }],
      security: [{ bearer: [] }, { api_key: [] }],
      components: {
        headers: headerComponents,
        parameters: parameterComponents,
        responses: refusalComponents,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key.' },
          api_key: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey svc_live_…`' },
        },
      },
    },
    convertConstToEnum: false,
    transform: documentRoute,
    transformObject: (made) => finish(('openapiObject' in made ? made.openapiObject : {}) as Document) as never,
  })
}

const steps = [nameBodies, hoistTitled, completeOperations, giveExamples, listTags, dropUnused, inOrder]

const finish = (document: Document): Document => steps.reduce((made, step) => step(made), document)

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** The same document whatever the order in which the modules were mounted. */
function inOrder(document: Document): Document {
  const paths = Object.entries(byKey(document.paths)).map(([path, operations]) => {
    const ordered = Object.entries(operations).sort(([a], [b]) => methods.indexOf(a) - methods.indexOf(b))
    return [path, Object.fromEntries(ordered)]
  })
  const { openapi, info, servers, security, tags } = document
  const components = { ...document.components, schemas: byKey(document.components.schemas) }
  return { openapi, info, servers, security, tags, paths: Object.fromEntries(paths), components }
}

const byKey = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
