import assert from 'node:assert/strict'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { addFormats, quickCompilation } from '#platform/schema'

type Media = { schema?: object }
type Response = { content?: Record<string, Media>; $ref?: string }
type Operation = { responses?: Record<string, Response> }
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>
  components?: { responses?: Record<string, Response> }
}

type ObservedResponse = { method: string; route: string; status: number; contentType: string; body: string }

/** Checks that every response in the tests is declared in the OpenAPI document. */
export function createResponseValidator(document: OpenApiDocument) {
  // tests/reference checks the schemas of the document themselves.
  const ajv = new Ajv2020({ ...quickCompilation, strict: false, allErrors: true, validateSchema: false })
  addFormats(ajv)
  ajv.addSchema({ $id: 'document', components: document.components ?? {} })
  // Uses the schema as the key, because the error responses of all operations share one.
  const compiled = new Map<object, ValidateFunction>()

  return ({ method, route, status, contentType, body }: ObservedResponse): void => {
    const path = route.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[method.toLowerCase()]
    const name = `${method} ${path} ${status}`
    assert.ok(operation, `${name} is not in the OpenAPI document`)
    const response = resolveResponse(document, operation.responses?.[status])
    assert.ok(response, `${name} is not a declared response`)
    const type = contentType.split(';')[0]!
    if (body === '' || type === 'text/event-stream') return
    const schema = response.content?.[type]?.schema
    assert.ok(schema, `${name} has the undeclared content type ${type}`)
    if (!/[/+]json$/.test(type)) return

    const validate = compiled.get(schema) ?? ajv.compile(withDocumentRefs(schema))
    compiled.set(schema, validate)
    if (!validate(JSON.parse(body))) assert.fail(`${name}: ${ajv.errorsText(validate.errors)}\n${body}`)
  }
}

const resolveResponse = ({ components }: OpenApiDocument, response: Response | undefined): Response | undefined =>
  response?.$ref ? components?.responses?.[response.$ref.replace('#/components/responses/', '')] : response

const withDocumentRefs = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/'))
