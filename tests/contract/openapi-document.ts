type Schema = { type?: string; format?: string; enum?: string[]; pattern?: string; $ref?: string }
export type Parameter = { name: string; in: string; schema?: Schema; $ref?: string }
export type Operation = {
  operationId?: string
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Record<string, { schema?: Schema }> }
  responses: Record<string, { content?: Record<string, { schema?: Schema }> }>
  security?: Record<string, string[]>[]
  'x-required-scopes'?: string[]
}
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>
  security: Record<string, string[]>[]
}

/** Returns operations by method and path, such as `GET /api/users/`. */
export const operationsByName = ({ paths }: OpenApiDocument): Map<string, Operation> =>
  new Map(
    Object.entries(paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
    ),
  )
