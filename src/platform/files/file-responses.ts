import { Type } from 'typebox'
import { ProblemDetails } from '#platform/http'
import { fileTypes } from './formats/file-type.ts'

const binary = { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) }
const FileContent = {
  description: 'Content of the file.',
  content: Object.fromEntries(Object.values(fileTypes).map(({ mediaType }) => [mediaType, binary])),
}

/** Responses of routes that send files. */
export const fileResponses = {
  200: FileContent,
  206: FileContent,
  304: Type.Null({ description: 'Not modified.' }),
  409: ProblemDetails,
  416: ProblemDetails,
}
