import swagger from '@fastify/swagger'
import type { FastifyInstance } from 'fastify'
import { addEnumTypes, describeDefaults, publishSchemas } from './client-schemas.ts'
import { moveTitledToComponents, nameUntitledBodies, removeUnusedComponents } from './components.ts'
import { describeRoute } from './describe-route.ts'
import type { OpenApiDocument } from './document.ts'
import { addExamples } from './examples.ts'
import { addFieldTexts, type FieldTexts } from './field-texts.ts'
import { completeOperations, parameterComponents } from './operations.ts'
import { headerComponents, problemComponents } from './responses.ts'
import { addTags } from './tags.ts'
import { addWebhooks, type WebhookDescription, webhookParameters } from './webhooks.ts'

export type ApiTexts = {
  /** Markdown at the beginning of the document. */
  introduction: string
  /** Descriptions of fields whose schemas declare none. */
  fieldTexts: FieldTexts
  /** Called when the document is generated. */
  listWebhooks(): readonly WebhookDescription[]
}

export async function registerOpenApi(app: FastifyInstance, { apiTexts }: { apiTexts: ApiTexts }): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tributary',
        version: '1.0.0',
        description: apiTexts.introduction,
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } as { name: string },
      },
      servers: [{ url: '/', description: 'The workspace that served this document' }],
      security: [{ bearer: [] }, { api_key: [] }],
      components: {
        headers: headerComponents,
        parameters: { ...parameterComponents, ...webhookParameters } as typeof parameterComponents,
        responses: problemComponents,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'Access token or API key.' },
          api_key: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey svc_live_…`' },
        },
      },
    },
    convertConstToEnum: false,
    transform: describeRoute,
    transformObject: (input) => {
      const document = ('openapiObject' in input ? input.openapiObject : {}) as OpenApiDocument
      const steps = [
        addWebhooks(apiTexts.listWebhooks()),
        ...namingSteps,
        addFieldTexts(apiTexts.fieldTexts),
        ...laterSteps,
      ]
      return steps.reduce((result, step) => step(result), document) as never
    },
  })
}

const namingSteps = [publishSchemas, nameUntitledBodies, moveTitledToComponents]
const laterSteps = [
  completeOperations,
  addExamples,
  describeDefaults,
  addEnumTypes,
  addTags,
  removeUnusedComponents,
  sortDocument,
]

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** Sorts paths and schemas, so that the document does not depend on the order of the modules. */
function sortDocument(document: OpenApiDocument): OpenApiDocument {
  const paths = Object.entries(sortByKey(document.paths)).map(([path, operations]) => {
    const ordered = Object.entries(operations).sort(([a], [b]) => methods.indexOf(a) - methods.indexOf(b))
    return [path, Object.fromEntries(ordered)]
  })
  const { openapi, info, servers, security, tags, webhooks } = document
  const components = { ...document.components, schemas: sortByKey(document.components.schemas) }
  return { openapi, info, servers, security, tags, paths: Object.fromEntries(paths), webhooks, components }
}

const sortByKey = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))
