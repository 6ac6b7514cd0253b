import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

type Media = { schema?: object }
type Response = { content?: Record<string, Media>; $ref?: string }
type Operation = { responses?: Record<string, Response> }
export type Document = {
  paths: Record<string, Record<string, Operation>>
  components?: { responses?: Record<string, Response> }
}

type Answer = { method: string; route: string; status: number; contentType: string; body: string }

/** Holds every answer of the tests against the machine description: what it does not promise must not be answered. */
export function promisesOf(document: Document) {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: true })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'document', components: document.components ?? {} })
  const compiled = new Map<string, ValidateFunction>()

  return ({ method, route, status, contentType, body }: Answer): void => {
    const path = route.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[method.toLowerCase()]
    const name = `${method} ${path} ${status}`
    assert.ok(operation, `${name} is not in the machine description`)
    const response = followed(document, operation.responses?.[status])
    assert.ok(response, `${name} is not among the answers of the machine description`)
    const type = contentType.split(';')[0]!
    if (body === '' || type === 'text/event-stream') return
    const schema = response.content?.[type]?.schema
    assert.ok(schema, `${name} answers with ${type}, which the machine description does not mention`)
    if (!type.endsWith('json')) return

    const validate = compiled.get(name) ?? ajv.compile(pointingTo(schema))
    compiled.set(name, validate)
    if (!validate(JSON.parse(body))) assert.fail(`${name}: ${ajv.errorsText(validate.errors)}\n${body}`)
  }
}

const followed = ({ components }: Document, response: Response | undefined): Response | undefined =>
  response?.$ref ? components?.responses?.[response.$ref.replace('#/components/responses/', '')] : response

/** References inside the document are followed from outside of it. */
const pointingTo = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
