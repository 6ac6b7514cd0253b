import type { IncomingMessage } from 'node:http'
import type { Readable } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { AppError, invalid, invalidInput } from '#platform/errors'
import { toInputErrors } from '../validation/validation-messages.ts'
import { duplicateField, unreadBody, unsupportedMediaType } from './body-kind.ts'
import { bodyTooLarge, incompleteBody } from './body-limits.ts'
import { cleanInput } from './clean-input.ts'
import { watchTransferRate } from './transfer-rate.ts'

export type FilePart = { filename: string; declaredType: string; content: Readable }
type MultipartBody<T> = { fields: Record<string, unknown>; file: T | undefined }

export const FilePartSchema = Type.String({ format: 'binary', description: 'Content of the file.' })

const maxFields = 50
const fieldBytes = 65_536
const limits = {
  fieldNameSize: 100,
  fieldSize: fieldBytes,
  fields: maxFields,
  files: 1,
  parts: maxFields + 1,
  headerPairs: 20,
  headerSize: 8_192,
}

/** Reads text fields and at most one file, which is passed on while it arrives. Rejects only after `receiveFile` has ended. */
export async function receiveMultipart<T>(
  request: FastifyRequest,
  receiveFile: (part: FilePart) => Promise<T>,
): Promise<MultipartBody<T>> {
  if (request.body !== unreadBody) throw unsupportedMediaType(request)
  const { raw, routeOptions } = request
  const fields = new Map<string, unknown>()
  const parser = createParser(raw)
  const { promise: parsed, resolve, reject } = Promise.withResolvers<void>()
  let receiving: Promise<T> | undefined
  let content: Readable | undefined
  let size = 0

  parser.on('field', (name, value, _nameTruncated, isTruncated) => {
    if (fields.has(name)) return reject(duplicateField(name))
    if (name === 'file') return reject(invalid('body', '/file', 'type', '`file` must be a file.'))
    if (isTruncated) return reject(new AppError(413, 'too_large', 'A text field must not exceed 64 KiB.'))
    fields.set(name, value)
  })
  parser.on('file', (name, stream, filename, _encoding, declaredType) => {
    stream.on('error', () => {})
    if (name !== 'file') {
      stream.resume()
      return reject(invalid('body', `/${name}`, 'unexpected', `\`${String(name).slice(0, 100)}\` must not be a file.`))
    }
    content = stream
    receiving = receiveFile({ filename: filename ?? '', declaredType, content: stream })
    receiving.catch(reject)
  })
  parser.on('filesLimit', () => reject(invalid('body', '/file', 'max_items', 'The body must have one file.')))
  const tooManyFields = () =>
    reject(invalid('body', '', 'max_items', `The body must not have more than ${maxFields} fields.`))
  parser.on('fieldsLimit', tooManyFields)
  parser.on('partsLimit', tooManyFields)
  parser.on('error', () => reject(malformedMultipart()))
  parser.on('finish', resolve)
  raw.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > routeOptions.bodyLimit) reject(bodyTooLarge(routeOptions.bodyLimit))
  })
  raw.on('error', () => reject(incompleteBody()))
  raw.on('close', () => !raw.readableEnded && reject(incompleteBody()))
  if (raw.destroyed) throw incompleteBody()
  raw.pipe(parser)
  const endWatch = watchTransferRate(raw, reject)

  try {
    await parsed
    const file = await receiving
    return { fields: validateFields(request, fields, receiving !== undefined), file }
  } catch (error) {
    raw.unpipe(parser)
    raw.resume()
    content?.destroy(error as Error)
    await receiving?.catch(() => {})
    throw error
  } finally {
    endWatch()
  }
}

const malformedMultipart = () =>
  new AppError(422, 'validation_failed', 'The body must be complete and valid multipart/form-data.')

function createParser({ headers }: IncomingMessage): InstanceType<typeof Busboy> {
  try {
    return new Busboy({ headers: { ...headers, 'content-type': headers['content-type']! }, limits, fileHwm: 65_536 })
  } catch {
    throw malformedMultipart()
  }
}

function validateFields(request: FastifyRequest, fields: Map<string, unknown>, hasFile: boolean) {
  const body = cleanInput(Object.fromEntries(fields), 'body') as Record<string, unknown>
  const validate = request.getValidationFunction('body') as ValidateFunction
  const input = { ...body, ...(hasFile && { file: '' }) }
  if (!validate(input)) throw invalidInput(toInputErrors('body', validate.errors as ErrorObject[]))
  return Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'file'))
}
